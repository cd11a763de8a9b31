create table tasker.access_sessions (
  session_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  token_hash    bytea        not null,
  sign_in_hash  bytea        not null,
  issuer        text         not null,
  subject       text         not null,
  email         text,
  claims        jsonb        not null,
  sealed        bytea,
  renewable     boolean      not null,
  created_at    timestamptz  not null  default tasker.clock(),
  signed_in_at  timestamptz  not null,
  seen_at       timestamptz  not null  default tasker.clock(),
  refresh_at    timestamptz  not null,
  ends_at       timestamptz  not null,
  ended_at      timestamptz,
  ended_by      text,

  constraint access_sessions_pkey
    primary key (session_uuid),
  constraint access_sessions_token_hash_key
    unique (token_hash),
  constraint access_sessions_sign_in_hash_key
    unique (sign_in_hash),
  constraint access_sessions_token_hash_check
    check (octet_length(token_hash) = 32),
  constraint access_sessions_sign_in_hash_check
    check (octet_length(sign_in_hash) = 32),
  constraint access_sessions_ended_check
    check ((ended_at is null) = (ended_by is null))
);

comment on table tasker.access_sessions is
  'The people who have signed in to tasker serve. A row is deleted a month after the end of its session.';
comment on column tasker.access_sessions.token_hash is
  'SHA-256 of the secret that the browser holds, or of the program''s token. The secret itself is not stored anywhere.';
comment on column tasker.access_sessions.sign_in_hash is
  'SHA-256 of the value that identifies one sign-in, so that a repeated answer of the provider opens no second session.';
comment on column tasker.access_sessions.claims is
  'The claims that tasker.access_maps named when the provider last sent them. Other claims are not stored.';
comment on column tasker.access_sessions.sealed is
  'The provider''s tokens, encrypted with a key that can be derived only from the browser''s secret.';
comment on column tasker.access_sessions.renewable is
  'Whether tasker serve can request the claims from the provider again. If not, the session ends when new claims are due.';
comment on column tasker.access_sessions.signed_in_at is
  'The time when the person last authenticated to the provider.';
comment on column tasker.access_sessions.refresh_at is
  'The time when tasker serve should request the claims again.';
comment on column tasker.access_sessions.ends_at is
  'The time when the session ends, even if it is in use.';

revoke all on table tasker.access_sessions from public;
