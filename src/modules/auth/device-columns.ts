import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { devices } from "../../../drizzle/schema/devices.ts"
import { deviceSession } from "../../lib/caller.ts"
import { HOUR } from "../../lib/clock.ts"
import { DEVICE_LIFETIME } from "../../lib/lifetimes.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateTimeColumn } from "../../lib/spreadsheet/date-columns.ts"
import { displayDateTime } from "../../lib/text/dates.ts"

/** What a device's row does not tell. */
export interface DeviceUse {
  /** When each was last used: epoch milliseconds of the hour, by its session. */
  uses: ReadonlyMap<string, number>
  /** The session of the call. */
  current: string | undefined
}

const time = () => z.string().openapi({ example: "Jan 05, 2026 03:00 PM" })
type Times = { id: number; createdAt: number; refreshedAt: number }
/** The hour of the last call; in its first hour the sign-in itself, so that no use is before it. */
const lastUse = ({ id, createdAt, refreshedAt }: Times, { uses }: DeviceUse) =>
  Math.max(createdAt, refreshedAt - (refreshedAt % HOUR), uses.get(deviceSession(id)) ?? 0)

/** The columns of the list of sessions: the devices of a user. */
export const deviceColumns = listColumns({
  id: integerColumn(devices.id),
  device: column(devices.name, z.string(), { sort: { sorted: sql`${devices.name} collate nocase` } }),
  created_at: dateTimeColumn(devices.createdAt, { sorted: devices.createdAt }),
  last_used_at: column(
    { id: devices.id, createdAt: devices.createdAt, refreshedAt: devices.refreshedAt },
    time().openapi({ description: "The hour in which it last called, or created_at within its first" }),
    { show: (device, use: DeviceUse) => displayDateTime(lastUse(device, use)) },
  ),
  expires_at: column(devices.refreshedAt, time().openapi({ description: "Until then it can be refreshed" }), {
    show: (refreshedAt) => displayDateTime(refreshedAt + DEVICE_LIFETIME),
    sort: { sorted: devices.refreshedAt },
  }),
  current: column(devices.id, z.boolean().openapi({ description: "The call was made by it" }), {
    show: (id, { current }: DeviceUse) => deviceSession(id) === current,
  }),
})
