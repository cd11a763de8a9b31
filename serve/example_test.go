package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/serve"
)

// A Go program mounts the handler beside pages of its own.
func ExampleNew() {
	t := &pgtest.Example{}
	defer t.End()
	ctx, pool := t.Context(), pgtest.New(t)

	handler, err := serve.New(ctx, pool, serve.Config{
		Loopback: true, // the tests' login is a superuser
		Logger:   slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/v1/", handler)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the program's own page") })
	server := httptest.NewServer(mux)
	defer server.Close()

	// An operator makes the token once; only its hash reaches the database.
	token, hash := bearer.New()
	_, err = executor.New(pool).CreateToken(ctx, sqlfn.CreateTokenParams{
		Name: "example", TokenHash: hash, RoleName: "tasker_reader", Namespaces: []string{"*"},
	})
	if err != nil {
		t.Fatal(err)
	}

	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/v1/tasks?limit=10", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var page struct {
		Items []executor.TaskDetail `json:"items"`
	}
	if err := json.NewDecoder(response.Body).Decode(&page); err != nil {
		t.Fatal(err)
	}
	fmt.Println(response.StatusCode, len(page.Items))
	// Output: 200 0
}
