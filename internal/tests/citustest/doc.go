// Package citustest proves what works on a coordinator of Citus that has worker nodes: "make test-citus". Migrations are
// applied and taken back there, tasks are created and done, and nothing of it comes to the nodes.
package citustest
