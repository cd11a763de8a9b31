// Package workflow defines workflows in Go. The graph of a workflow, its functions and their types stand in one place.
//
//	var (
//		order   = workflow.New[Order]("shop", "order", "1.0.0")
//		reserve = workflow.Root(order, "reserve", reserveGoods)
//		charge  = workflow.After1(order, "charge", reserve, chargeCard, workflow.Retry{Attempts: 5})
//		pack    = workflow.After1(order, "pack", reserve, packGoods)
//		ship    = workflow.After2(order, "ship", charge, pack, shipParcel)
//	)
//
//	func shipParcel(ctx context.Context, job *workflow.Job[Order], p Payment, parcel Parcel) (Shipment, error) {…}
//
// A step is a Go value, and the constructors of the steps that depend on it take that value. So the compiler refuses a misspelt name, a
// forgotten dependency, a result of another type, a cycle, and a step whose workflow has another context type. [Workflow.Register] refuses
// mistakes that the compiler cannot see, such as a step of another workflow with the same context type. A function gets the results of the
// steps that it depends on as arguments.
//
//	Workflow ──▶ Template, YAML: the same that a file says
//	   │
//	   ├── Register(ctx, db) ──▶ tasker.register_task_template
//	   ├── Handle(worker)    ──▶ a handler for each step: shop.order:1.0.0.charge
//	   └── Start(ctx, tx, Order{…}) ──▶ Task ──▶ ship.Wait(ctx, pool, task, …) ──▶ Shipment
//
// The name of a handler contains namespace, workflow, version and step. So a program may have several versions of a workflow, and each task
// runs the code of its own version.
package workflow
