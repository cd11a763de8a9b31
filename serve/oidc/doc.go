// Package oidc signs people in to a server of package serve at an identity provider that speaks OpenID Connect: Keycloak,
// Entra, Google, Okta and others.
//
//	provider, err := oidc.New(oidc.Config{Issuer: "https://id.corp.example", ClientID: "tasker", ClientSecret: secret})
//	handler, err := serve.New(ctx, pool, serve.Config{Provider: provider, PublicURL: "https://tasker.corp.example"})
//
// It is the code flow with PKCE, state and nonce. The provider's keys are found by discovery, and again when they have
// changed. Nothing is asked of the provider before the first person signs in, so a server starts while it is away.
package oidc
