package main

import (
	"net/url"
	"os"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// clientEnv is this process's environment, with libpq's variables set for address.
func clientEnv(address string) ([]string, error) {
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	location, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	env := append(os.Environ(),
		"PGHOST="+config.Host,
		"PGPORT="+strconv.Itoa(int(config.Port)),
		"PGUSER="+config.User,
		"PGPASSWORD="+config.Password,
		"PGDATABASE="+config.Database,
	)
	if mode := location.Query().Get("sslmode"); mode != "" {
		env = append(env, "PGSSLMODE="+mode)
	}
	return env, nil
}
