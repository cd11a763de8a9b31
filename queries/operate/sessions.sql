-- MapAccess gives a role in these namespaces to all people whose claim has this value.
-- name: MapAccess :one
select * from tasker.map_access(
  p_claim => @claim,
  p_value => @value,
  p_role_name => @role_name,
  p_namespaces => @namespaces::text[],
  p_actor => sqlc.narg('act_actor'),
  p_reason => sqlc.narg('act_reason')
);

-- UnmapAccess deletes an access map. It returns false if the map did not exist.
-- name: UnmapAccess :one
select tasker.unmap_access(
  p_claim => @claim, p_value => @value, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason')
);

-- ListAccessMaps returns the access maps, by claim and value.
-- name: ListAccessMaps :many
select * from tasker.list_access_maps();

-- OpenSession opens the session of a person whose claims have been verified. Only hashes of the session's
-- secrets are sent.
-- name: OpenSession :one
select * from tasker.open_session(
  p_token_hash => @token_hash,
  p_sign_in_hash => @sign_in_hash,
  p_claims => @claims,
  p_signed_in_at => sqlc.narg('signed_in_at'),
  p_renewable => @renewable,
  p_sealed => sqlc.narg('sealed'),
  p_until => sqlc.narg('until')
);

-- AuthenticateSession returns the session with this hash.
-- name: AuthenticateSession :one
select * from tasker.authenticate_session(@token_hash);

-- AssumeSession lets the rest of the transaction act as the person whose session has this hash, unless its refresh is due.
-- name: AssumeSession :one
select * from tasker.assume_session(@token_hash);

-- AccessOfPerson returns the role and the namespaces that the access maps give to a person with these claims.
-- name: AccessOfPerson :one
select * from tasker.access_of_person(@claims);

-- AssumePerson lets the rest of the transaction act as a person with these claims.
-- name: AssumePerson :one
select * from tasker.assume_person(p_claims => @claims, p_signed_in_at => sqlc.narg('signed_in_at'));

-- RefreshSession replaces the claims of a session. Without claims, it records that the caller is about to get new
-- claims from the provider.
-- name: RefreshSession :one
select tasker.refresh_session(p_token_hash => @token_hash, p_claims => sqlc.narg('claims'), p_sealed => sqlc.narg('sealed'));

-- TouchSession records that a person has used a session.
-- name: TouchSession :one
select tasker.touch_session(@token_hash);

-- SealedSession returns the encrypted tokens of a session.
-- name: SealedSession :one
select tasker.sealed_session(@token_hash);

-- SignOut ends the session with this hash, on behalf of its person.
-- name: SignOut :one
select tasker.sign_out(@token_hash);

-- EndSession ends a session. It returns false if the session had ended before.
-- name: EndSession :one
select tasker.end_session(@session_uuid, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- EndSessions ends all sessions of a person, and returns how many sessions it ended. The person is given by e-mail
-- address or subject.
-- name: EndSessions :one
select tasker.end_sessions(@person, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListSessions returns the sessions of people who have signed in, the newest first.
-- name: ListSessions :many
select * from tasker.list_sessions(p_all => @all_sessions);
