import { DurableObject } from "cloudflare:workers"
import { countObjectRow } from "../db/meter.ts"
import type { Bindings } from "../env.ts"
import { now } from "../lib/clock.ts"
import { onDemand } from "../lib/on-demand.ts"

const jobs = onDemand(() => import("./queue.ts"))

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

  private countRow() {
    countObjectRow(this.env, this.ctx.id)
  }
}
