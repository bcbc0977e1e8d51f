package deploy

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

// cluster is deploy/kubernetes.yaml.
type cluster struct {
	deployment appsv1.Deployment
	service    corev1.Service
	budget     policyv1.PodDisruptionBudget
	scaler     autoscalingv2.HorizontalPodAutoscaler
	network    networkingv1.NetworkPolicy
	monitor    monitoringv1.ServiceMonitor
}

// decode reads the objects strictly: a field that its type does not have is an error.
func decode(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{}
	kinds := map[string]any{
		"apps/v1 Deployment": &c.deployment, "v1 Service": &c.service, "policy/v1 PodDisruptionBudget": &c.budget,
		"autoscaling/v2 HorizontalPodAutoscaler": &c.scaler, "networking.k8s.io/v1 NetworkPolicy": &c.network,
		"monitoring.coreos.com/v1 ServiceMonitor": &c.monitor,
	}
	for text := range strings.SplitSeq(readFile(t, "../../../../deploy/kubernetes.yaml"), "\n---\n") {
		var is struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal([]byte(text), &is); err != nil {
			t.Fatal(err)
		}
		object := kinds[is.APIVersion+" "+is.Kind]
		if object == nil {
			t.Fatalf("%s %s is twice in the file, or has no test", is.APIVersion, is.Kind)
		}
		delete(kinds, is.APIVersion+" "+is.Kind)
		if err := yaml.UnmarshalStrict([]byte(text), object); err != nil {
			t.Fatalf("%s: %v", is.Kind, err)
		}
	}
	if len(kinds) > 0 {
		t.Fatalf("these objects are missing: %v", kinds)
	}
	return c
}

// TestKubernetesDNS: a replica may ask the name servers of the cluster, and NodeLocal DNSCache, which
// is at an address of the node and in no pod that a selector matches.
func TestKubernetesDNS(t *testing.T) {
	var pods, node bool
	for _, rule := range decode(t).network.Spec.Egress {
		if len(rule.Ports) != 2 || rule.Ports[0].Port.IntVal != 53 || rule.Ports[1].Port.IntVal != 53 {
			continue
		}
		for _, to := range rule.To {
			pods = pods || to.NamespaceSelector != nil
			node = node || to.IPBlock != nil && to.IPBlock.CIDR == "169.254.20.10/32"
		}
	}
	if !pods || !node {
		t.Errorf("name servers in pods: %v, on the node: %v", pods, node)
	}
}

// TestKubernetesNames checks that the objects are about each other: labels, names and ports.
func TestKubernetesNames(t *testing.T) {
	c := decode(t)
	labels := c.deployment.Spec.Template.Labels
	for name, selector := range map[string]map[string]string{
		"Deployment": c.deployment.Spec.Selector.MatchLabels, "Service": c.service.Spec.Selector,
		"PodDisruptionBudget": c.budget.Spec.Selector.MatchLabels, "NetworkPolicy": c.network.Spec.PodSelector.MatchLabels,
		"topologySpreadConstraints": c.deployment.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
	} {
		if len(selector) == 0 || !maps.Equal(selector, labels) {
			t.Errorf("%s selects %v, pods have %v", name, selector, labels)
		}
	}
	if !maps.Equal(c.monitor.Spec.Selector.MatchLabels, c.service.Labels) {
		t.Errorf("ServiceMonitor selects %v, the Service has %v", c.monitor.Spec.Selector.MatchLabels, c.service.Labels)
	}
	if target := c.scaler.Spec.ScaleTargetRef; target.Kind != "Deployment" || target.Name != c.deployment.Name ||
		c.deployment.Spec.Replicas != nil {
		t.Errorf("the scaler is about %+v; the Deployment must not set replicas, too", target)
	}
	ports := map[string]int32{}
	for _, port := range c.deployment.Spec.Template.Spec.Containers[0].Ports {
		ports[port.Name] = port.ContainerPort
	}
	services := map[string]bool{}
	for _, port := range c.service.Spec.Ports {
		services[port.Name] = true
		if ports[port.TargetPort.StrVal] == 0 {
			t.Errorf("the Service's port %s leads to %v", port.Name, port.TargetPort)
		}
	}
	if endpoint := c.monitor.Spec.Endpoints[0]; !services[endpoint.Port] {
		t.Errorf("ServiceMonitor reads the port %q of the Service", endpoint.Port)
	}
	for _, rule := range c.network.Spec.Ingress {
		for _, port := range rule.Ports {
			if port.Port.Type == intstr.String && ports[port.Port.StrVal] == 0 {
				t.Errorf("NetworkPolicy permits the port %v", port.Port)
			}
		}
	}
	if *c.scaler.Spec.MinReplicas < 2 || c.budget.Spec.MaxUnavailable.IntValue() != 1 {
		t.Error("with one replica, or none that may be absent, a node cannot be drained without a loss")
	}
}

// TestKubernetesPod checks that the pod is the image: its user, its rights, its version, and
// a folder for nothing but the key.
func TestKubernetesPod(t *testing.T) {
	pod := decode(t).deployment.Spec.Template.Spec
	if s := pod.SecurityContext; s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.RunAsUser == nil ||
		*s.RunAsUser != 65532 || *pod.AutomountServiceAccountToken {
		t.Errorf("%+v", s)
	}
	container := pod.Containers[0]
	s := container.SecurityContext
	if !*s.ReadOnlyRootFilesystem || *s.AllowPrivilegeEscalation || len(s.Capabilities.Drop) != 1 ||
		s.Capabilities.Drop[0] != "ALL" {
		t.Errorf("%+v", s)
	}
	version := regexp.MustCompile(`(?m)^\tgithub.com/kosterhq/robotstxt (v\S+) =>`).FindStringSubmatch(readFile(t, "../../../../go.work"))
	if version == nil || container.Image != "robots:"+version[1] {
		t.Errorf("the image is %s, go.work has %q", container.Image, version)
	}
	if unit := readFile(t, "../../../../deploy/robots.service"); container.Resources.Limits.Memory().Value() != 2<<30 || !strings.Contains(unit, "MemoryMax=2G\n") {
		t.Errorf("the limit is %v, and another one in robots.service", container.Resources.Limits.Memory())
	}
	for _, mount := range container.VolumeMounts {
		if !mount.ReadOnly {
			t.Errorf("%s can be written", mount.MountPath)
		}
	}
}

// TestKubernetesProbes starts the program with the variables of the container, and asks what
// the probes and Prometheus ask.
func TestKubernetesProbes(t *testing.T) {
	c := decode(t)
	pod := c.deployment.Spec.Template.Spec
	container := pod.Containers[0]
	ports := map[string]string{} // name to number
	for _, port := range container.Ports {
		ports[port.Name] = port.Name
		if defaults := map[string]int32{"http": 8070, "admin": 8071}; port.ContainerPort != defaults[port.Name] {
			t.Errorf("the port %s is %d", port.Name, port.ContainerPort)
		}
	}
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte(strings.Repeat("a1", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	var variables []string
	values := map[string]string{}
	for _, variable := range container.Env {
		value := variable.Value
		switch variable.Name {
		case "ROBOTS_SERVE_FORM_KEY_FILE":
			if filepath.Dir(value) != container.VolumeMounts[0].MountPath {
				t.Errorf("the key is in %s", value)
			}
			value = key
		case "ROBOTS_SERVE_CACHE": // the program starts without its server, which is not here
			value = "valkey://" + freeAddress(t)
		case "ROBOTS_SERVE_ADMIN":
			if !strings.HasSuffix(value, ":8071") {
				t.Errorf("the second listener is at %s", value)
			}
		case "ROBOTS_SERVE_DRAIN_DELAY":
			values[variable.Name] = value
			value = "0s"
		}
		variables = append(variables, variable.Name+"="+value)
	}
	delay, err := time.ParseDuration(values["ROBOTS_SERVE_DRAIN_DELAY"])
	if grace := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; err != nil || grace < delay+
		15*time.Second+5*time.Second {
		t.Errorf("a replica is killed after %v, and needs %v and 15 s: %v", grace, delay, err)
	}
	s := startService(t, build(t), variables...)
	for name, probe := range map[string]*corev1.Probe{"startup": container.StartupProbe, "liveness": container.LivenessProbe,
		"readiness": container.ReadinessProbe} {
		if ports[probe.HTTPGet.Port.StrVal] != "admin" {
			t.Fatalf("the %s probe asks the port %v", name, probe.HTTPGet.Port)
		}
		if status, text := get(t, "http://"+s.admin+probe.HTTPGet.Path); status != 200 {
			t.Errorf("the %s probe gets %d: %s", name, status, text)
		}
	}
	endpoint := c.monitor.Spec.Endpoints[0]
	if status, text := get(t, "http://"+s.admin+endpoint.Path); endpoint.Port != "admin" || status != 200 || !strings.Contains(text, "\nrobots_store_up 0\n") {
		t.Errorf("Prometheus gets %d: %.500s", status, text)
	}
}
