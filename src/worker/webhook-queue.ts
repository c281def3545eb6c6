import { DurableObject } from "cloudflare:workers"
import { countObjectRow } from "../db/meter.ts"
import type { Bindings } from "../env.ts"
import { now } from "../lib/clock.ts"
import { onDemand } from "../lib/on-demand.ts"
import type { Event } from "../modules/webhooks/events.schemas.ts"
import type { AttemptOutcome, Receiver } from "../modules/webhooks/webhook-request.ts"

const jobs = onDemand(() => import("./queue.ts"))
const requests = onDemand(() => import("../modules/webhooks/webhook-request.ts"))

/** The deliveries of one webhook. Each webhook has its own object, so a slow receiver delays no other. */
export class WebhookQueue extends DurableObject<Bindings> {
  /** Starts deliveries now, or again after the one in progress. */
  async wake(webhookId: number): Promise<void> {
    const { storage } = this.ctx
    if ((await storage.get("webhookId")) === undefined) {
      await storage.put("webhookId", webhookId)
      this.countRow()
    }
    if ((await storage.getAlarm()) === null) {
      await storage.setAlarm(now())
      this.countRow()
    }
  }

  /** The platform retries an alarm that throws, with increasing delays. */
  override async alarm(): Promise<void> {
    const webhookId = await this.ctx.storage.get<number>("webhookId")
    if (webhookId !== undefined) await (await jobs()).deliverWebhook(this.env, webhookId)
  }

  /** Sends an event for the object of the webhook, which has too few connections. */
  async send(receiver: Receiver, event: Event): Promise<AttemptOutcome> {
    return (await requests()).sendEvent(this.env, receiver, event)
  }

  private countRow() {
    countObjectRow(this.env, this.ctx.id)
  }
}
