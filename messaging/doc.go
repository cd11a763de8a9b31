// Package messaging is one small interface for a queue of messages, with several brokers behind it: pgmq, the queues
// in PostgreSQL (package messaging/pgmq), and RabbitMQ (module messaging/rabbitmq).
//
//	                 Send
//	                   │
//	                   ▼
//	┌──────────── waiting ◄───────────────┐
//	│                  │ Receive          │ Refuse, or the lease has ended
//	│                  ▼                  │
//	│              received ──────────────┘
//	│                  │ Acknowledge
//	│                  ▼
//	│                gone
//	└─► dead letters, instead of a delivery more than [Config.MaxDeliveries]
//
// # What every implementation promises
//
// A message is delivered at least once. It is kept when Send has returned nil. After an error it may have been kept,
// so a sender that repeats it uses the same [Message.ID] for the receiver to recognise.
//
// A received message belongs to its receiver until the lease ends, and no other receives it until then. It has to be
// acknowledged, refused or extended before that. A call that comes later, or after another that has ended the delivery,
// may return [ErrExpired], and does so when the message is gone or has been delivered again.
//
// One receiver gets messages in the order in which one sender has sent them. A message that comes back, because it was
// refused or because its lease has ended, may come before or after others.
//
// A lost connection is opened again. Receive waits for it. The messages that were received over it may come again.
//
// Package messagingtest has the tests of these promises, for implementations elsewhere too: docs/messaging.md says how
// to write one.
package messaging
