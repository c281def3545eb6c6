import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test"
import { env } from "cloudflare:workers"
import { type Cell, type CellValue, writeXlsx } from "hucre/xlsx"
import type { Bindings } from "../../src/env.ts"
import worker from "../../src/index.ts"
import { post } from "../helpers/client.ts"

export const XLSX = "/api/user/userBulkUploadSpreadsheet"

/** The bytes of an xlsx with one sheet. @param cells by "row,column" from 0: cells that are not plain values */
export const xlsx = (rows: CellValue[][], cells: Record<string, Partial<Cell>> = {}) =>
  writeXlsx({ sheets: [{ name: "Users", rows, cells: new Map(Object.entries(cells)) }] })

/** Uploads a file like a browser's form. */
export function sendSheet(
  content: Uint8Array | string,
  token: string,
  fields: Record<string, string> = {},
  name = "people.xlsx",
) {
  const form = new FormData()
  form.set("file", new File([content], name))
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  return post(XLSX, form, { token })
}

/** Delivers an upload's message once. @returns whether the consumer requested a retry */
export async function deliverUpload(uploadId: number, bindings: Bindings = env): Promise<{ retried: boolean }> {
  const batch = createMessageBatch("lectern-uploads", [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: { uploadId } },
  ])
  const ctx = createExecutionContext()
  await worker.queue(batch, bindings)
  const result = await getQueueResult(batch, ctx)
  return { retried: result.retryMessages.length > 0 }
}
