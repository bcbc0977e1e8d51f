// Command readers compares two files in temoto, as readers.py does in other programs.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/temoto/robotstxt"
)

func main() {
	input, output := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	var task struct {
		Files         [2][]byte
		Agents, Paths []string
	}
	for input.Decode(&task) == nil {
		before, errBefore := robotstxt.FromBytes(task.Files[0])
		after, errAfter := robotstxt.FromBytes(task.Files[1])
		difference := ""
		if errBefore != nil || errAfter != nil {
			if (errBefore == nil) != (errAfter == nil) {
				difference = fmt.Sprintf("%v, %v", errBefore, errAfter)
			}
			task.Agents = nil
		}
		for _, agent := range task.Agents {
			for _, path := range task.Paths {
				if was, now := before.TestAgent(path, agent), after.TestAgent(path, agent); was != now && difference == "" {
					difference = fmt.Sprintf("%s %s: %v, %v", agent, path, was, now)
				}
			}
		}
		output.Encode(difference)
	}
}
