package main

import (
	"strings"
	"testing"
)

// TestNetworkHelp: the topic describes the flags of commands that fetch, and the help of each
// command only names those it has. The shell still completes them.
func TestNetworkHelp(t *testing.T) {
	_, topic, _ := runTool(t, "help", networkTopic)
	commands := 0
	for _, cmd := range allCommands() {
		names := networkFlagsOf(cmd)
		if len(names) == 0 {
			continue
		}
		commands++
		path := strings.Fields(cmd.CommandPath())[1:]
		_, help, _ := runTool(t, append(path, "--help")...)
		if line := `see "robots help network" for ` + strings.Join(names, ", ") + "\n"; strings.Count(help, line) != 1 {
			t.Errorf("the help of %q lacks %q:\n%s", cmd.CommandPath(), line, help)
		}
		_, completions, _ := runTool(t, append(append([]string{"__complete"}, path...), "--")...)
		for _, name := range names {
			if described := "\n      " + name + " "; strings.Contains(help, described) || strings.Count(topic, described) != 1 {
				t.Errorf("%s of %q is described in the command's help, or not in the topic", name, cmd.CommandPath())
			}
			if !strings.Contains("\n"+completions, "\n"+name) {
				t.Errorf("the shell does not complete %s of %q: %s", name, cmd.CommandPath(), completions)
			}
		}
	}
	if commands < 12 {
		t.Errorf("only %d commands have network flags", commands)
	}
	if _, completions, _ := runTool(t, "__complete", "help", ""); !strings.Contains(completions, "\n"+networkTopic+"\t") {
		t.Errorf("the shell does not complete the topic: %s", completions)
	}
}
