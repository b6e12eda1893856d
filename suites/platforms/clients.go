package platforms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// ClientShapes gives the platforms whose client configuration has a known shape.
func ClientShapes() []string {
	return []string{"agentcore", "claude-api", "cursor", "gemini", "openai", "vscode"}
}

// ClientConfig writes a piece of a client's configuration that names a server and,
// where the client takes a list, its tools. No credential stands in it.
func ClientConfig(platform, name, address string, s *Subject) string {
	var tools, on []string
	for _, t := range s.Tools {
		tools = append(tools, encoded(t.Name))
		on = append(on, encoded(t.Name)+`:{"enabled":true}`)
	}
	all := strings.Join(tools, ",")
	n, at := encoded(name), encoded(address)
	shape := map[string]string{
		"openai":     fmt.Sprintf(`{"type":"mcp","server_label":%s,"server_url":%s,"allowed_tools":[%s],"require_approval":"always"}`, n, at, all),
		"claude-api": fmt.Sprintf(`{"mcp_servers":[{"type":"url","url":%s,"name":%s}],"tools":[{"type":"mcp_toolset","mcp_server_name":%s,"default_config":{"enabled":false},"configs":{%s}}]}`, at, n, n, strings.Join(on, ",")),
		"gemini":     fmt.Sprintf(`{"mcpServers":{%s:{"httpUrl":%s,"includeTools":[%s],"timeout":120000}}}`, n, at, all),
		"cursor":     fmt.Sprintf(`{"mcpServers":{%s:{"url":%s}}}`, n, at),
		"vscode":     fmt.Sprintf(`{"servers":{%s:{"type":"http","url":%s}},"inputs":[]}`, n, at),
		"agentcore":  fmt.Sprintf(`{"mcp":{"mcpServer":{"endpoint":%s,"listingMode":"DEFAULT"}}}`, at),
	}
	return indented(shape[platform])
}

// Listing writes a server's tools as the result of tools/list, for --snapshot and --from.
func Listing(s *Subject) string {
	var all []string
	for _, t := range s.Tools {
		all = append(all, string(t.Node.Raw))
	}
	return indented(`{"tools":[` + strings.Join(all, ",") + `]}`)
}

// Opposed gives the broken rules of some platforms that others want the opposite of.
func (d *Data) Opposed(judged []conform.Profile) []conform.Opposed {
	asked := map[string]bool{}
	for _, pr := range judged {
		if p := d.Find(pr.Platform); p != nil {
			for _, r := range d.RulesOf(p) {
				asked[r.ID] = true
			}
		}
	}
	var all []conform.Opposed
	for _, pr := range judged {
		for _, f := range pr.Findings {
			_, r := d.Rule(f.ID)
			if r == nil || f.Verdict != conform.Fail || slices.ContainsFunc(all, func(o conform.Opposed) bool { return o.Rule == r.ID }) {
				continue
			}
			o := conform.Opposed{Rule: r.ID, Text: r.Text}
			for _, id := range r.Against {
				if p, other := d.Rule(id); other != nil && asked[other.ID] {
					o.Against = append(o.Against, other.ID+" of "+p.Title)
				}
			}
			if len(o.Against) > 0 {
				all = append(all, o)
			}
		}
	}
	return all
}
