// Reads YAML as Authelia and Traefik do (gopkg.in/yaml.v3). In: a line a text, a word for its form and the text in base64.
// Out: a line of JSON for each, {"value": …} or {"refused": "…"}.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"

	yaml "gopkg.in/yaml.v3"
)

// The fields of Authelia's users file that we write, of the types that it decodes them into.
type usersFile struct {
	Users map[string]struct {
		Password string   `yaml:"password" json:"password"`
		Name     string   `yaml:"displayname" json:"displayname"`
		Email    string   `yaml:"email" json:"email"`
		Groups   []string `yaml:"groups" json:"groups"`
		Disabled bool     `yaml:"disabled" json:"disabled"`
	} `yaml:"users" json:"users"`
}

func read(form string, text []byte) (any, error) {
	if form == "users" {
		var users usersFile
		err := yaml.Unmarshal(text, &users)
		return users, err
	}
	var value any
	err := yaml.Unmarshal(text, &value)
	return value, err
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	write := json.NewEncoder(out)
	write.SetEscapeHTML(false)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		form, encoded, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		text, err := base64.StdEncoding.DecodeString(encoded)
		var value any
		if err == nil {
			value, err = read(form, text)
		}
		if err != nil {
			err = write.Encode(map[string]string{"refused": err.Error()})
		} else if err = write.Encode(map[string]any{"value": value}); err != nil {
			err = write.Encode(map[string]string{"refused": err.Error()})
		}
		if err != nil || out.Flush() != nil {
			os.Exit(1)
		}
	}
}
