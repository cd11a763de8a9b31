create table tasker.access_maps (
  claim       text         not null,
  value       text         not null,
  role        regrole      not null,
  namespaces  text[]       not null,
  created_at  timestamptz  not null  default tasker.clock(),
  updated_by  text         not null  default tasker.actor_name(null),

  constraint access_maps_pkey
    primary key (claim, value),
  constraint access_maps_claim_check
    check (length(claim) between 1 and 200),
  constraint access_maps_value_check
    check (length(value) between 1 and 500)
);

comment on table tasker.access_maps is
  'The access of people who sign in. A row gives people whose claim has the given value a role in the given namespaces. A person to whom no row applies has no access.';
comment on column tasker.access_maps.claim is
  'The name of a claim of the identity provider, such as groups. A dot leads to a member of an object, as in realm_access.roles.';
comment on column tasker.access_maps.value is
  'The value that the claim must have, or must contain if it is an array. "*" means any value.';
comment on column tasker.access_maps.role is
  'The oid of the role, so that a renamed role stays the same role.';
comment on column tasker.access_maps.namespaces is
  'The namespaces that the person is bound to. "*" alone means all namespaces. An empty array means no namespace.';

revoke all on table tasker.access_maps from public;
