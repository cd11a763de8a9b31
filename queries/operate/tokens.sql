-- BindRole restricts a database role to namespaces. If no namespace is given, it removes the restriction. It returns
-- the number of namespaces that the role is bound to.
-- name: BindRole :one
select tasker.bind_role(@role_name, @namespaces::text[], p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- CreateToken lets tasker serve accept a token. Only the SHA-256 of the token is sent to the database.
-- name: CreateToken :one
select * from tasker.create_token(
  p_name => @name,
  p_token_hash => @token_hash,
  p_role_name => @role_name,
  p_namespaces => @namespaces::text[],
  p_expires_at => sqlc.narg('expires_at'),
  p_actor => sqlc.narg('act_actor'),
  p_reason => sqlc.narg('act_reason')
);

-- RevokeToken ends a token. It returns false if the token was revoked before.
-- name: RevokeToken :one
select tasker.revoke_token(@name, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListTokens returns the tokens that tasker serve accepts or has accepted, by name.
-- name: ListTokens :many
select * from tasker.list_tokens();

-- AuthenticateToken returns the token with this hash.
-- name: AuthenticateToken :one
select * from tasker.authenticate_token(@token_hash);

-- AssumeToken lets the rest of the transaction act as the token with this hash.
-- name: AssumeToken :one
select * from tasker.assume_token(@token_hash);

-- CheckServerLogin checks whether tasker serve can use the login role of this connection.
-- name: CheckServerLogin :many
select * from tasker.check_server_login();
