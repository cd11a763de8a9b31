// Package oidc signs people in to a server of package serve at an identity provider that speaks OpenID Connect: Keycloak,
// Entra, Google, Okta and others.
//
//	provider, err := oidc.New(oidc.Config{Issuer: "https://id.corp.example", ClientID: "tasker", ClientSecret: secret})
//	handler, err := serve.New(ctx, pool, serve.Config{Provider: provider, PublicURL: "https://tasker.corp.example"})
//
// The package uses the code flow with PKCE, state and nonce. It finds the provider's keys by discovery, and reads them again when they have
// changed. It makes no request to the provider before the first person signs in, so a server can start while the provider is away.
package oidc
