// Package citustest proves what works on a Citus coordinator that has worker nodes: "make test-citus". Migrations are applied
// and reverted there, tasks are created and completed, and none of it reaches the nodes.
package citustest
