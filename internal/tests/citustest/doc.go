// Package citustest proves that pgtasker works on a Citus coordinator that has worker nodes: "make test-citus". On the
// coordinator it applies and reverts migrations, and creates and completes tasks. None of these changes reach the worker nodes.
package citustest
