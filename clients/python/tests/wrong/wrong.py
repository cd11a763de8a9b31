"""Each program is wrong in the line that ends with E: both checkers must report it, and no other line."""
from __future__ import annotations

from datetime import datetime

import psycopg
from pgtasker import Event, Failure, Happened, Pause, Paused, Policy, Received, AsyncJob, AsyncTask, Job, Known, Retries, Signal, TimedOut, Undo, Workflow, any_of, ended, failed, first_of
from tests.wrong.base import Approval, Label, Line, Order, Parcel, Payment, Reservation, Waiver, approve, approved, charge, either, fulfil, label, order, other, pack, parcel, price, reserve, ship


@order.step(after=reserve)  # E 1 takes another type than its parent returns
def e1(job: Job[Order], r: Payment) -> int: return r["cents"]

@order.step(after=reserve)
def e2(job: Job[Order], r: Reservation) -> int: return r.shelve  # E 2 a field that the parent's result does not have

@order.step(after=resreve)  # E 3 a misspelt step
def e3(job: Job[Order], r: Reservation) -> int: return 1

@order.step(after=(reserve, price))  # E 4 the parents in another order
def e4(job: Job[Order], p: list[int], r: Reservation) -> int: return 1

@order.step(after=(reserve, price))  # E 5 a parameter is missing
def e5(job: Job[Order], r: Reservation) -> int: return 1

@order.step(after=reserve)  # E 6 a parameter too many: a result of a step that it does not depend on
def e6(job: Job[Order], r: Reservation, p: list[int]) -> int: return 1

@order.step(after=label)  # E 7 a step of a workflow with another input
def e7(job: Job[Order], x: Label) -> int: return 1

@order.step(after=reserve)  # E 8 the job of another workflow
def e8(job: Job[Parcel], r: Reservation) -> int: return 1

@order.step()
def e9(job: Job[Order]) -> int: return job.input.numbr  # E 9 the input has no such field

@order.step(after=reserve)  # E 10 an async function with the job of a plain one, whose calls block
async def e10(job: Job[Order], r: Reservation) -> int: return 1

@order.step(after=reserve)  # E 11 a plain function with the job of an async one
def e11(job: AsyncJob[Order], r: Reservation) -> int: return 1

@order.step(after=any_of(charge, approve))  # E 12 of any_of each may be absent
def e12(job: Job[Order], c: Payment, a: Received[Approval]) -> int: return 1

@order.map(order.each(lambda i: i.lines))
def e13(job: Job[Order], line: Line) -> int: return line.quantity  # E 13 a field that elements do not have

@order.map(order.each(lambda i: i.lines))  # E 14 a function for other elements
def e14(job: Job[Order], line: str) -> int: return 1

@order.map(order.each(lambda i: i.linse))  # E 15 a map over a path that is not there
def e15(job: Job[Order], line: Line) -> int: return 1

@order.map(reserve.each(lambda r: r.shelf))  # E 16 a map over what is no array
def e16(job: Job[Order], x: int) -> int: return 1

@order.step(after=pack)  # E 17 a map whose elements may fail hands on None
def e17(job: Job[Order], packed: list[str]) -> int: return 1

charge.when(lambda c: c["amount"] >= 10)  # E 18 a condition on a field that is not there
reserve.when(lambda r: r.shelf >= "10")  # E 19 a condition that compares a number with a text
reserve.when(lambda r: r.shelf)  # E 20 no condition
approve.when(lambda a: a.payload.okay)  # E 21 a condition on a field that the payload does not have

@order.step(after=approve)  # E 22 an answer's payload has another type
def e22(job: Job[Order], a: Received[Waiver]) -> int: return 1

@order.step(after=either)  # E 23 a wait that may end by its timeout
def e23(job: Job[Order], a: Received[Approval] | Received[Waiver]) -> int: return 1

@order.step(after=either)
def e24(job: Job[Order], a: Received[Approval] | Received[Waiver] | TimedOut) -> str: return a.payload.by  # E 24 not every answer has it

order.child("e25", parcel, lambda i: Parcel(i.number))  # E 25 a child's input without a field
order.child("e26", parcel, lambda i, c: Parcel(c["receipt"], []), after=charge)  # E 26 a child's input of another type
order.child("e27", parcel, lambda i: i)  # E 27 the input of another workflow

@order.step(after=ship)  # E 28 another result than the child's
def e28(job: Job[Order], s: Payment) -> int: return 1

@charge.undo  # E 29 an undo that takes another result
def e29(job: Job[Order], undo: Undo[Reservation]) -> None: ...

@charge.undo
def e30(job: Job[Order], undo: Undo[Payment]) -> None: print(undo.result["receipt"])  # E 30 an undo that does not ask whether the result is known

@price.undo_each  # E 31 an undo of other elements
def e31(job: Job[Order], undo: Undo[int], line: str) -> None: ...

@order.step(limit="bank", limit_key=lambda i: i.custmer)  # E 32 the key of a limit leads nowhere
def e32(job: Job[Order]) -> int: return 1

@order.step(limit="bank", limit_key=lambda i: i.lines)  # E 33 the key of a limit is a list
def e33(job: Job[Order]) -> int: return 1

@order.step(retries=3)  # E 34 an unknown option
def e34(job: Job[Order]) -> int: return 1

@order.step(retry=Retries(max_attempts=3))  # E 35 an unknown option of Retries
def e35(job: Job[Order]) -> int: return 1

@order.step(timeout="20s")  # E 36 a duration is seconds or a timedelta
def e36(job: Job[Order]) -> int: return 1

order.schedule("e37", Parcel(1, []), cron="0 2 * * *")  # E 37 a schedule's input
order.schedule("e38", Order(1, "x", []), overlap="never")  # E 38 an overlap that does not exist

@order.step()  # E 39 a result that JSON cannot carry
def e39(job: Job[Order]) -> set[int]: return {1}

async def e40(c: psycopg.AsyncConnection[object]) -> None:
    await fulfil.start(c, Parcel(1, []))  # E 40 a task's input

async def e41(c: psycopg.AsyncConnection[object]) -> str:
    t = await fulfil.start(c, Order(1, "x", []))
    payment, weight = await t.result(c)
    return weight  # E 41 a task's result read as another type

async def e42(c: psycopg.AsyncConnection[object], t: AsyncTask[Order, object]) -> None:
    await t.send(c, approved, Waiver("ann"))  # E 42 a wrong payload

async def e43(c: psycopg.AsyncConnection[object], t: AsyncTask[Order, object]) -> None:
    await t.result(c, label)  # E 43 a task's step of another workflow

async def e44(job: AsyncJob[Order]) -> int:
    async def f(key: object) -> Reservation: return Reservation(1)
    r = await job.once("x", f)  # E 44 a kept result that is no plain JSON, without its type
    return 1

async def e45(job: AsyncJob[Order]) -> bool:
    a = await job.wait(approved, timeout=3.0)
    return a.payload.ok  # E 45 a wait with a timeout may end without a payload

async def e46(c: psycopg.AsyncConnection[object]) -> None:
    task = fulfil.start(c, Order(1, "x", []))
    await task.result(c)  # E 46 start was not awaited

def e47(job: Job[Order], r: Reservation) -> str:
    return reserve(job, r)  # E 47 a step is called as a function with other arguments

paid = Event("paid", Approval, key=lambda o: o.number)
settled_by = order.wait("settled_by", paid, Pause(60.0))
counted = order.declare("counted", int, handler="other.count")

@order.step(after=settled_by)  # E 48 an event's payload of another type
def e48(job: Job[Order], x: Happened[Waiver] | Paused) -> int: return 1

@order.step(after=settled_by)
def e49(job: Job[Order], x: Happened[Approval] | Paused) -> bool:
    return x.payload.ok  # E 49 a pause has no payload

@order.step(after=counted)  # E 50 the result of a declared step
def e50(job: Job[Order], x: str) -> int: return 1

async def e51(c: psycopg.AsyncConnection[object]) -> None:
    await fulfil.emit(c, paid, Waiver("ann"))  # E 51 an event's payload

async def e52(c: psycopg.AsyncConnection[object]) -> None:
    await fulfil.send_by_key(c, "A", approved, Approval(True), start=Parcel(1, []))  # E 52 the input of a task that a signal starts

order.wait("e53", order)  # E 53 a workflow is nothing to wait for

Policy(debounce="2s")  # E 54 a policy's time is seconds or a timedelta

@order.step(after=failed(charge))  # E 55 a failure branch gets the failures, no result
def e55(job: Job[Order], c: Payment) -> int: return 1

@order.step(after=failed(charge))
def e56(job: Job[Order], failures: list[Failure]) -> int: return failures[0].attempt  # E 56 a field that a failure does not have

@order.step(after=failed(label))  # E 57 the failure of a step of another workflow
def e57(job: Job[Order], failures: list[Failure]) -> int: return 1

@order.step(after=ended(charge, reserve))  # E 58 the failures are one argument
def e58(job: Job[Order], a: list[Failure], b: list[Failure]) -> int: return 1

@order.step(after=first_of(charge, approve))  # E 59 of first_of each may be absent
def e59(job: Job[Order], c: Payment, a: Received[Approval]) -> int: return 1

order.limit("bank", lambda i: i.custmer)  # E 60 the key of a limit leads nowhere
other.step(limits=[order.limit("bank")])  # E 61 a limit of another workflow
Workflow("shop", "e62", Order, version="1", on_undo="wait")  # E 62 what comes before an undo is cancel or drain
other.start_on(paid)  # E 63 an event whose payload is no input
order.start_on(paid, lambda a: Parcel(1, []))  # E 64 the payload makes another input
order.start_on(paid, lambda a: Order(1, a.by, []))  # E 65 a field that the payload does not have
order.cancel_on(paid, identity=lambda a: a.by)  # E 66 the same for a key
order.cancel_on(approved)  # E 67 a signal cancels nothing
