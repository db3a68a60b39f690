// Renders the chart as `helm template` does, for machines without helm: Go's own templates and sprig, as helm uses them,
// and helm's additional functions. Builds with Debian's packages (GO111MODULE=off GOPATH=/usr/share/gocode).
//
//	render CHART RELEASE NAMESPACE VALUES
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func main() {
	if len(os.Args) != 5 {
		fail(errors.New("usage: render CHART RELEASE NAMESPACE VALUES"))
	}
	folder := os.Args[1]
	meta := read(filepath.Join(folder, "Chart.yaml"))
	chart := values{"Name": meta["name"], "Version": meta["version"], "AppVersion": meta["appVersion"]}
	dot := values{
		"Values":  merge(read(filepath.Join(folder, "values.yaml")), read(os.Args[4])),
		"Chart":   chart,
		"Release": values{"Name": os.Args[2], "Namespace": os.Args[3], "Service": "Helm", "IsInstall": true, "IsUpgrade": false, "Revision": 1},
	}
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	fail(err)
	sort.Strings(files)
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	for _, file := range files {
		text, err := os.ReadFile(file)
		fail(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		fail(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		fail(all.ExecuteTemplate(&out, name, dot))
		text := strings.TrimSpace(strings.ReplaceAll(out.String(), "<no value>", ""))
		if text == "" {
			continue
		}
		if name == "NOTES.txt" {
			text = "# " + strings.ReplaceAll(text, "\n", "\n# ")
		}
		fmt.Printf("---\n# Source: %s\n%s\n", name, text)
	}
}

func functions(all *template.Template) template.FuncMap {
	given := sprig.TxtFuncMap()
	delete(given, "env")
	delete(given, "expandenv")
	given["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		fail(err)
		return strings.TrimSuffix(string(text), "\n")
	}
	given["toJson"] = func(value interface{}) string {
		text, err := json.Marshal(value)
		fail(err)
		return string(text)
	}
	given["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	given["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, errors.New(message)
		}
		return value, nil
	}
	return given
}

// merge lets given win over ours; maps are merged, everything else is replaced, as helm does it.
func merge(ours, given values) values {
	for name, value := range given {
		deeper, isMap := value.(values)
		own, wasMap := ours[name].(values)
		if isMap && wasMap {
			ours[name] = merge(own, deeper)
		} else {
			ours[name] = value
		}
	}
	return ours
}

func read(file string) values {
	text, err := os.ReadFile(file)
	fail(err)
	out := values{}
	fail(yaml.UnmarshalStrict(text, &out))
	return out
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
