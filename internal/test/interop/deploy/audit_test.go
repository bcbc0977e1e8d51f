package deploy

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"

	"github.com/kosterhq/robotstxt"
)

// folder is where the tool is, for all tests.
var folder string

func TestMain(m *testing.M) {
	var err error
	folder, err = os.MkdirTemp("", "deploy")
	if err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(status)
}

// buildOnce builds the tool. The cache keeps programs of "go run", and not those of "go build", so
// tests of several packages link it once.
var buildOnce = sync.OnceValues(func() (string, error) {
	program := filepath.Join(folder, "robots")
	if out, err := exec.Command("go", "run", "-exec", "cp", "github.com/kosterhq/robotstxt/cmd/robots", program).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go run: %w\n%s", err, out)
	}
	return program, nil
})

// build returns the tool.
func build(t *testing.T) string {
	t.Helper()
	program, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// archives returns a folder with 40 archives in which hosts occur several times, and how
// many of the hosts close to GPTBot in the latest one.
func archives(t *testing.T) (folder string, closed int) {
	t.Helper()
	folder = t.TempDir()
	latest := map[string]string{}
	for archive := range 40 {
		var lines strings.Builder
		for line := range 10 {
			host := fmt.Sprintf("h%d.example", (archive*7+line*13)%120)
			body := "User-agent: GPTBot\nDisallow: /" + strings.Repeat("a", (archive+line)%2) + "\n"
			fmt.Fprintf(&lines, `{"host": %q, "fetched_at": "2026-01-01T00:%02d:00Z", "body": %q}`+"\n", host, archive, body)
			latest[host] = body
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("a%d.ndjson", archive)), []byte(lines.String()),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, body := range latest {
		if !robotstxt.Allowed([]byte(body), "/", "GPTBot") {
			closed++
		}
	}
	return folder, closed
}

func run(t *testing.T, program string, env []string, args ...string) string {
	t.Helper()
	command := exec.Command(program, args...)
	command.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, stderr.String())
	}
	return stdout.String()
}

// sameCounts compares the counts of the tables in a folder with those of the archives.
func sameCounts(t *testing.T, program, archives, tables string, closed int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(tables, "crawlers-*.parquet"))
	if err != nil || len(names) != 16 {
		t.Fatalf("%d tables, %v", len(names), err)
	}
	provenance := regexp.MustCompile(`"provenance":\{.*`) // the last field: what was read differs
	got := provenance.ReplaceAllString(run(t, program, nil, append([]string{"audit", "--json"}, names...)...), "")
	want := provenance.ReplaceAllString(run(t, program, nil, "audit", "--json", "--purpose", "ai-training", archives), "")
	if got != want || !strings.Contains(want, fmt.Sprintf(`"closed_by_name":%d,`, closed)) {
		t.Errorf("the tables have other counts than the archives, in which %d hosts are closed:\n%.600s\n%.600s", closed, got, want)
	}
}

// TestJob decodes the Job strictly, and runs its container as each of its pods does.
func TestJob(t *testing.T) {
	text, err := os.ReadFile("../../../../deploy/audit-job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job batchv1.Job
	if err := yaml.UnmarshalStrict(text, &job); err != nil {
		t.Fatal(err)
	}
	if job.Spec.CompletionMode == nil || *job.Spec.CompletionMode != batchv1.IndexedCompletion ||
		*job.Spec.Completions != 16 {
		t.Fatalf("%+v", job.Spec)
	}
	pod := job.Spec.Template.Spec
	container := pod.Containers[0]
	inputs, closed := archives(t)
	folders := map[string]string{"archives": inputs, "tables": t.TempDir()}
	program := build(t)
	for index := range int(*job.Spec.Completions) {
		var args []string
		for _, arg := range append(container.Command[1:], container.Args...) {
			arg = strings.ReplaceAll(arg, "$(JOB_COMPLETION_INDEX)", strconv.Itoa(index))
			for _, mount := range container.VolumeMounts {
				arg = regexp.MustCompile(`(^|=)`+mount.MountPath).ReplaceAllString(arg, "${1}"+folders[mount.Name])
			}
			args = append(args, arg)
		}
		run(t, program, nil, args...)
	}
	sameCounts(t, program, inputs, folders["tables"], closed)
	volumes := map[string]bool{}
	for _, volume := range pod.Volumes {
		volumes[volume.Name] = volume.PersistentVolumeClaim != nil
	}
	for _, mount := range container.VolumeMounts {
		if !volumes[mount.Name] {
			t.Errorf("the volume %q of the container has no claim", mount.Name)
		}
	}
}

// TestArray runs each task of the Slurm array.
func TestArray(t *testing.T) {
	text, err := os.ReadFile("../../../../deploy/audit.sbatch")
	if err != nil {
		t.Fatal(err)
	}
	array := regexp.MustCompile(`(?m)^#SBATCH --array=1-(\d+)$`).FindSubmatch(text)
	if array == nil {
		t.Fatal("there is no array")
	}
	tasks, _ := strconv.Atoi(string(array[1]))
	program := build(t)
	tables := t.TempDir()
	inputs, closed := archives(t)
	for task := 1; task <= tasks; task++ {
		env := []string{"PATH=" + filepath.Dir(program) + ":" + os.Getenv("PATH"), "ARCHIVES=" + inputs, "TABLES=" + tables, fmt.Sprint("SLURM_ARRAY_TASK_ID=", task)}
		run(t, "/bin/sh", env, "../../../../deploy/audit.sbatch")
	}
	sameCounts(t, program, inputs, tables, closed)
}
