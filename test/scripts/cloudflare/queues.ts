// Queues, and who consumes them.
import { randomUUID } from "node:crypto"
import { type Call, Failure, paged, type Route } from "./http.ts"

interface Consumer {
  consumer_id: string
  type: string
  script: string
  dead_letter_queue?: string
  settings: {
    max_concurrency?: number
    batch_size?: number
    max_retries?: number
    max_wait_time_ms?: number
    retry_delay?: number
  }
}

export interface Queue {
  queue_id: string
  queue_name: string
  consumers: Consumer[]
  settings: { delivery_paused: boolean }
  /** How many messages wait. */
  backlog?: number
}

/** The calls about the queues of an account, which they are kept in by their ids. */
export function queueRoutes(queues: Map<string, Queue>): Route[] {
  const described = (queue: Queue) => ({
    ...queue,
    ...{ producers: [], producers_total_count: 0, consumers_total_count: queue.consumers.length },
    ...{ created_on: "2026-11-24T00:00:00Z", modified_on: "2026-11-24T00:00:00Z" },
  })
  const of = ({ params: [id = ""] }: Call) => {
    const found = queues.get(id)
    if (!found) throw new Failure(404, 11000, "Queue not found.")
    return found
  }
  const create = (call: Call) => {
    const { queue_name } = call.json() as { queue_name: string }
    if ([...queues.values()].some((queue) => queue.queue_name === queue_name))
      throw new Failure(409, 11009, `Queue name '${queue_name}' is already taken.`)
    const queue = { queue_id: randomUUID(), queue_name, consumers: [], settings: { delivery_paused: false } }
    queues.set(queue.queue_id, queue)
    return described(queue)
  }
  const consumed = (call: Call, id: string) => {
    const queue = of(call)
    const { script_name, ...asked } = call.json() as Omit<Consumer, "script"> & { script_name: string }
    const others = queue.consumers.filter(({ consumer_id }) => consumer_id !== id)
    if (others.length > 0) throw new Failure(400, 11004, "The queue has a consumer.")
    const consumer = { ...asked, script: script_name, consumer_id: id }
    queue.consumers = [consumer]
    return consumer
  }
  const list = ({ query }: Call) => {
    const names = query.getAll("name")
    const found = [...queues.values()].filter(({ queue_name }) => names.length === 0 || names.includes(queue_name))
    return paged(query, found.map(described))
  }
  return [
    ["GET", "/queues", list],
    ["POST", "/queues", create],
    ["GET", "/queues/:id", (call) => described(of(call))],
    [
      "GET",
      "/queues/:id/metrics",
      (call) => ({ backlog_count: of(call).backlog ?? 0, backlog_bytes: 0, oldest_message_timestamp_ms: 0 }),
    ],
    ["GET", "/queues/:id/consumers", (call) => of(call).consumers],
    ["POST", "/queues/:id/consumers", (call) => consumed(call, randomUUID())],
    ["PUT", "/queues/:id/consumers/:consumer", (call) => consumed(call, call.params[1] ?? "")],
  ]
}
