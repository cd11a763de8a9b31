-- PublishSteps marks ready steps of a namespace as published and returns them. The namespace has the transport
-- broker. The caller sends a message for each returned step. With a depth of -1 the call does not search for lost
-- messages.
-- name: PublishSteps :many
select * from tasker.publish_steps(@namespace, @lane, @max_rows, nullif(@depth::bigint, -1), @again_seconds);
