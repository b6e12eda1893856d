//go:build deps

package deps

import (
	_ "github.com/HdrHistogram/hdrhistogram-go"
	_ "github.com/go-json-experiment/json/jsontext"
	_ "github.com/goccy/go-yaml"
	_ "github.com/modelcontextprotocol/go-sdk/mcp"
	_ "github.com/onsi/ginkgo/v2"
	_ "github.com/onsi/gomega"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "github.com/theory/jsonpath"
	_ "github.com/vbauerster/mpb/v8"
	_ "golang.org/x/term"
	_ "golang.org/x/text/unicode/norm"
	_ "pgregory.net/rapid"
)
