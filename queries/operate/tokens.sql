-- BindRole says to which namespaces a database role is kept, none to free it; returns how many.
-- name: BindRole :one
select tasker.bind_role(@role_name, @namespaces::text[]);

-- CreateToken lets tasker serve accept a token, of which only the SHA-256 is sent.
-- name: CreateToken :one
select * from tasker.create_token(
  p_name => @name,
  p_token_hash => @token_hash,
  p_role_name => @role_name,
  p_namespaces => @namespaces::text[],
  p_expires_at => sqlc.narg('expires_at')
);

-- RevokeToken ends a token; false if it was revoked before.
-- name: RevokeToken :one
select tasker.revoke_token(@name);

-- ListTokens returns the tokens that are accepted, or were, by name.
-- name: ListTokens :many
select * from tasker.list_tokens();

-- AuthenticateToken returns the token with this hash.
-- name: AuthenticateToken :one
select * from tasker.authenticate_token(@token_hash);

-- AssumeToken lets the rest of the transaction act as the token with this hash.
-- name: AssumeToken :one
select * from tasker.assume_token(@token_hash);

-- CheckServerLogin returns whether the login role suits tasker serve.
-- name: CheckServerLogin :many
select * from tasker.check_server_login();
