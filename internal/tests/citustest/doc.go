// Package citustest proves that pgtasker works on a Citus coordinator that has worker nodes: "make test-citus". It applies
// and reverts migrations and creates and completes tasks there. None of these changes reach the nodes.
package citustest
