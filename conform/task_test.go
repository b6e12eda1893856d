package conform

import (
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func TestTasksOfBothErasAreRead(t *testing.T) {
	const result = `{"content":[],"structuredContent":{"results":[]}}`
	for name, c := range map[string]struct {
		result string
		ok     bool
		status string
		ended  bool
		held   string
		poll   time.Duration
	}{
		"made at 2025-11-25":       {`{"task":{"taskId":"t-1","status":"working","pollInterval":100}}`, true, "working", false, "", 100 * time.Millisecond},
		"looked at, at 2025-11-25": {`{"taskId":"t-1","status":"completed"}`, true, "completed", true, "", 250 * time.Millisecond},
		"made by the extension":    {`{"resultType":"task","taskId":"t-1","status":"working","pollIntervalMs":1}`, true, "working", false, "", 20 * time.Millisecond},
		"ended by the extension":   {`{"resultType":"complete","taskId":"t-1","status":"completed","result":` + result + `}`, true, "completed", true, result, 250 * time.Millisecond},
		"cancelled":                {`{"taskId":"t-1","status":"cancelled"}`, true, "cancelled", true, "", 250 * time.Millisecond},
		"a poll of a year":         {`{"taskId":"t-1","status":"working","pollInterval":31536000000000}`, true, "working", false, "", 5 * time.Second},
		"a poll of nothing":        {`{"taskId":"t-1","status":"working","pollInterval":0}`, true, "working", false, "", 250 * time.Millisecond},
		"rows":                     {result, false, "", false, "", 0},
		"an id that is a number":   {`{"taskId":1,"status":"working"}`, false, "", false, "", 0},
		"no status":                {`{"taskId":"t-1"}`, false, "", false, "", 0},
	} {
		root, err := rawjson.Parse([]byte(c.result))
		if err != nil {
			t.Fatal(err)
		}
		task, ok := TaskOf(root)
		if ok != c.ok {
			t.Errorf("%s: %v", name, ok)
			continue
		}
		if !ok {
			continue
		}
		held := ""
		if task.Result != nil {
			held = string(task.Result.Raw)
			if task.Result.Pointer() != "" || task.Result.Offset != 0 {
				t.Errorf("%s: the result's places count from %s", name, task.Result.Pointer())
			}
		}
		if task.Status != c.status || task.Ended() != c.ended || held != c.held || task.Poll(250*time.Millisecond, 20*time.Millisecond, 5*time.Second) != c.poll {
			t.Errorf("%s: %+v", name, task)
		}
	}
	if _, ok := TaskOf(nil); ok {
		t.Error("nothing is a task")
	}
}
