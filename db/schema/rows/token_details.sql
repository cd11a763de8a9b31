create table tasker.token_details (
  name        text         not null,
  role_name   text         not null,
  namespaces  text[]       not null,
  status      text         not null,
  created_at  timestamptz  not null,
  created_by  text         not null,
  expires_at  timestamptz,
  revoked_at  timestamptz,
  revoked_by  text,

  constraint token_details_row_type_check
    check (false) no inherit
);

comment on table tasker.token_details is
  'Row type: an access token as people look at it, without its hash.';
comment on column tasker.token_details.namespaces is
  '"*" alone is all namespaces, none is nothing.';
comment on column tasker.token_details.status is
  'valid, expired, revoked, or unusable: its role is gone, or is no longer one that a token may have.';

revoke all on table tasker.token_details from public;
