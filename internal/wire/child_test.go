package wire_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// playChild is the stdio server that this test binary plays when it is started
// again. It makes the handshake and plays a script at tools/call.
func playChild(script string) {
	switch script {
	case "sdk":
		if err := sdkServer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	case "sleep":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
		return
	case "dies at once":
		fmt.Fprintln(os.Stderr, "cannot open the database")
		os.Exit(7)
	case "banner":
		fmt.Print("Server v1 ready\n\n")
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "deaf":
		// Never reads: the handshake cannot be written beyond the pipe's room.
		time.Sleep(time.Hour)
	case "stderr flood":
		fmt.Fprint(os.Stderr, strings.Repeat("x", 10_000)+"\nthe last word\n")
	}
	if script == "grandchild" {
		grandchild := exec.Command(os.Args[0])
		grandchild.Env = append(os.Environ(), "WIRE_TEST_CHILD=sleep")
		grandchild.Stdout = os.Stdout
		if err := grandchild.Start(); err != nil {
			panic(err)
		}
		fmt.Fprintf(os.Stderr, "grandchild %d\n", grandchild.Process.Pid)
	}
	in := bufio.NewReader(os.Stdin)
	var held []message
	for {
		text, err := in.ReadBytes('\n')
		if err != nil {
			if script == "stubborn" {
				select {}
			}
			return
		}
		var m message
		_ = json.Unmarshal(text, &m)
		switch {
		case m.Method == "initialize" && script != "only 2026":
			version := m.Params.ProtocolVersion
			if script == "another revision" {
				version = "2025-03-26"
			}
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":"child","version":"1"}}}`+"\n", m.ID, version)
		case m.Method == "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"unsupported","data":{"supported":["2026-07-28"]}}}`+"\n", m.ID)
		case m.Method == "server/discover" && script == "only 2026":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"new","version":"3"}}}}`+"\n", m.ID)
		case m.Method == "server/discover": // swallowed
		case m.Method == "ping":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m.ID)
		case m.Method == "tools/call":
			if script == "backwards" {
				if held = append(held, m); len(held) < 5 {
					continue
				}
				for i := range held {
					fmt.Println(response(held[len(held)-1-i].ID))
				}
				held = nil
				continue
			}
			answerCall(script, m, text, in)
		}
	}
}

func answerCall(script string, m message, text []byte, in *bufio.Reader) {
	good := response(m.ID)
	switch script {
	case "CRLF":
		fmt.Print(good + "\r\n")
	case "twice":
		fmt.Print(good + "\n" + good + "\n")
	case "wrong id":
		fmt.Print(response([]byte("77")) + "\n")
	case "garbage":
		fmt.Print("\x1b[32mINFO\x1b[0m called \xff\n" + good + "\n")
	case "split":
		for _, piece := range []string{good[:5], good[5:20], good[20:], "\n"} {
			fmt.Print(piece)
			os.Stdout.Sync()
			time.Sleep(time.Millisecond)
		}
	case "no newline":
		fmt.Print(good)
		os.Exit(0)
	case "half a line":
		fmt.Print(good[:30])
		os.Exit(3)
	case "huge":
		fmt.Print(`{"jsonrpc":"2.0","id":2,"result":{"pad":"` + strings.Repeat("a", 300_000) + "\"}}\n")
	case "exit 3":
		fmt.Fprintln(os.Stderr, "warming up")
		fmt.Fprint(os.Stderr, "panic: boom")
		os.Exit(3)
	case "late":
		// The cancellation shows that the call was given up.
		for line := ""; !strings.Contains(line, "notifications/cancelled"); line, _ = in.ReadString('\n') {
		}
		fmt.Println(good)
	case "asks":
		fmt.Println(`{"jsonrpc":"2.0","id":"e1","method":"elicitation/create","params":{}}`)
		fmt.Println(`{"jsonrpc":"2.0","id":5,"method":"ping"}`)
		first, _ := in.ReadString('\n')
		second, _ := in.ReadString('\n')
		fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":{"answers":[%s,%s]}}`+"\n", m.ID, strings.TrimSpace(first), strings.TrimSpace(second))
	case "stray flood":
		for range 100 {
			fmt.Println(strings.Repeat("s", 99))
		}
		fmt.Println(good)
	case "mute":
	case "batch":
		fmt.Printf("[%s,%s]\n", good, `{"jsonrpc":"2.0","method":"x"}`)
	case "echo line":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"line":%q}}`+"\n", m.ID, strings.TrimSuffix(string(text), "\n"))
	default:
		fmt.Println(good)
	}
}
