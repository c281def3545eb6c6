import type { LecternClient } from "../../src/client/index.ts"
import type { Random } from "./random.ts"
import type { Store, Table } from "./store.ts"

const DAY = 86_400_000

/** A user of the academy with their own client. */
export interface Learner {
  id: number
  client: LecternClient
}

/** What acts are made of. They choose their objects from the copy. */
export class World {
  readonly client: LecternClient
  readonly learners: readonly Learner[]
  readonly store: Store
  readonly random: Random
  /** Modules that new courses have. */
  readonly textModuleIds: readonly number[]
  readonly ownerId: number
  private serial = 0

  constructor(parts: Pick<World, "client" | "learners" | "store" | "random" | "textModuleIds" | "ownerId">) {
    this.client = parts.client
    this.learners = parts.learners
    this.store = parts.store
    this.random = parts.random
    this.textModuleIds = parts.textModuleIds
    this.ownerId = parts.ownerId
  }

  /** A name that no other object has. */
  name(kind: string): string {
    return `${kind} ${++this.serial}`
  }

  /** A random object; undefined if there is none. */
  id(table: Table, condition = "true"): number | undefined {
    const rows = this.store.all(`select id from ${table} where ${condition} order by id`)
    return this.random.pick(rows)?.id as number | undefined
  }

  /** A user who may be changed; the owner who acts and the learners who act are not. */
  userId(condition = "true"): number | undefined {
    const actors = [this.ownerId, ...this.learners.map(({ id }) => id)]
    return this.id("users", `id not in (${actors.join(", ")}) and userType not in ('owner', 'admin') and ${condition}`)
  }

  /** Up to `count` users. */
  userIdList(count: number, condition = "true"): number[] {
    const ids = Array.from({ length: 1 + this.random.below(count) }, () => this.userId(condition))
    return [...new Set(ids.filter((id) => id !== undefined))]
  }

  /** A random time, from some days before today to some days after it. */
  time(fromDays: number, toDays: number): string {
    const days = fromDays + this.random.next() * (toDays - fromDays)
    return new Date(Date.now() + days * DAY).toISOString()
  }
}

/** An act; undefined if its objects do not exist. */
export type Act = (world: World) => Promise<unknown> | undefined
/** Acts by name with their weights. */
export type Acts = Record<string, readonly [weight: number, act: Act]>
