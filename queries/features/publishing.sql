-- PublishSteps marks ready steps of a namespace with transport broker as published, and returns them for a message to be
-- sent for each. With a depth of -1 it does not search for lost messages.
-- name: PublishSteps :many
select * from tasker.publish_steps(@namespace, @lane, @max_rows, nullif(@depth::bigint, -1), @again_seconds);
