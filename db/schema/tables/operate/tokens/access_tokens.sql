create table tasker.access_tokens (
  name        text         not null,
  token_hash  bytea        not null,
  role        regrole      not null,
  namespaces  text[]       not null,
  created_at  timestamptz  not null  default tasker.clock(),
  created_by  text         not null  default tasker.actor_name(null),
  expires_at  timestamptz,
  revoked_at  timestamptz,
  revoked_by  text,

  constraint access_tokens_pkey
    primary key (name),
  constraint access_tokens_token_hash_key
    unique (token_hash),
  constraint access_tokens_name_check
    check (name ~ '^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$'),
  constraint access_tokens_token_hash_check
    check (octet_length(token_hash) = 32),
  constraint access_tokens_revoked_check
    check ((revoked_at is null) = (revoked_by is null))
);

comment on table tasker.access_tokens is
  'The tokens that tasker serve accepts. A row remains after its token is revoked, so that a name in a history always means the same token.';
comment on column tasker.access_tokens.token_hash is
  'SHA-256 of the token, which is 32 random bytes and is not stored anywhere.';
comment on column tasker.access_tokens.role is
  'The oid of the role, so that a renamed role stays the same role.';
comment on column tasker.access_tokens.namespaces is
  'The namespaces that requests with this token are bound to. "*" alone means all namespaces. An empty array means no namespace.';
