package events

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

func cpuz() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestZZ3(t *testing.T) {
	text := strings.Repeat("It reads the file and changes a line of it. ", 8)
	lines := []string{
		`{"type":"turn/start","seq":0,"time":1795999424344,"data":{"turn":4}}`,
		`{"type":"user/message","seq":0,"time":1795999424354,"data":{"id":"538ac6fb","role":"user","source":{"kind":"user"},"content":[{"type":"text","text":"`+text+`"}]},"surfaceOp":"append"}`,
		`{"type":"tool/call","seq":0,"time":1795999424368,"data":{"turn":4,"step":1,"callId":"call_mock000009","name":"bash","arguments":"{\"command\":\"sleep 30 && touch report.txt\",\"description\":\"A slow write\"}"}}`,
		`{"type":"tool/result","seq":0,"time":1795999424368,"data":{"turn":4,"step":1,"message":{"id":"r","role":"tool","source":{"kind":"tool","callId":"call_mock000009"},"content":[{"type":"text","text":"`+strings.Repeat(`a line of the file\n`, 20)+`"}]}},"surfaceOp":"append","sourceEventSeqs":[93]}`,
		`{"type":"assistant/message","seq":0,"time":1795999424367,"data":{"turn":4,"step":1,"message":{"role":"assistant","content":[{"type":"text","text":"`+text+`"},{"type":"tool-call","id":"call_mock000010","name":"bash","arguments":"{\"command\":\"echo second\",\"description\":\"Second call\"}"}],"source":{"kind":"model","provider":"deepseek-official","model":"deepseek-v4-flash"},"id":"b5b7a59e-1f12-4cb8-a74c-51cb56ce1aa5"},"stream":[],"usage":{"inputTokens":1200,"outputTokens":40,"cacheReadTokens":0}},"surfaceOp":"append"}`,
	}
	for _, l := range lines {
		for _, slow := range []bool{true, false} {
			b := []byte(l)
			const n = 50000
			c := cpuz()
			for range n {
				if slow {
					decodeStrictly(4, b)
				} else {
					decodeEnvelope(4, b)
				}
			}
			d := cpuz() - c
			fmt.Printf("slow %t %4d bytes %6.0f ns %5.0f MB/s\n", slow, len(l), float64(d)/n, float64(len(l))*n/d.Seconds()/1e6)
		}
	}
}
