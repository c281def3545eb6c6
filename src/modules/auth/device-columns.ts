import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { devices } from "../../../drizzle/schema/devices.ts"
import { deviceSession } from "../../lib/caller.ts"
import { HOUR } from "../../lib/clock.ts"
import { DEVICE_LIFETIME } from "../../lib/lifetimes.ts"
import { column, isoSchema, listColumns, timeColumn } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateTimeColumn } from "../../lib/spreadsheet/date-columns.ts"
import { displayDateTime } from "../../lib/text/dates.ts"

/** Data of devices that is not in their rows. */
export interface DeviceUse {
  /** The hour of the last use as epoch milliseconds, by session. */
  uses: ReadonlyMap<string, number>
  /** The session of the current request. */
  current: string | undefined
}

const time = () => z.string().openapi({ example: "Jan 05, 2026 03:00 PM" })
type Times = { id: number; createdAt: number; refreshedAt: number }
/** The hour of the last call; within the first hour the sign-in itself, so that no use precedes it. */
const lastUse = ({ id, createdAt, refreshedAt }: Times, { uses }: DeviceUse) =>
  Math.max(createdAt, refreshedAt - (refreshedAt % HOUR), uses.get(deviceSession(id)) ?? 0)

/** The columns of the list of a user's devices. */
export const deviceColumns = listColumns({
  id: integerColumn(devices.id),
  device: column(devices.name, z.string(), { sort: { sorted: sql`${devices.name} collate nocase` } }),
  created_at: dateTimeColumn(devices.createdAt, { sorted: devices.createdAt }),
  last_used_at: timeColumn(
    { id: devices.id, createdAt: devices.createdAt, refreshedAt: devices.refreshedAt },
    time().openapi({ description: "The hour of its last call; created_at within the first hour" }),
    isoSchema(),
    { show: (device, use: DeviceUse) => displayDateTime(lastUse(device, use)), at: lastUse },
  ),
  expires_at: timeColumn(
    devices.refreshedAt,
    time().openapi({ description: "Until when it can be refreshed" }),
    isoSchema(),
    {
      show: (refreshedAt) => displayDateTime(refreshedAt + DEVICE_LIFETIME),
      at: (refreshedAt) => refreshedAt + DEVICE_LIFETIME,
      sort: { sorted: devices.refreshedAt },
    },
  ),
  current: column(devices.id, z.boolean().openapi({ description: "Whether the request was made by this device" }), {
    show: (id, { current }: DeviceUse) => deviceSession(id) === current,
  }),
})
