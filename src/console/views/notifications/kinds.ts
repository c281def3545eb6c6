import type { RecordOf } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"

export type Notification = RecordOf<"/api/notifications">
export type NotificationKind = Notification["kind"]

export const kindLabel = (kind: NotificationKind) => t(`notifications:kind.${kind}`)
/** When it is sent. */
export const kindDescription = (kind: NotificationKind) => t(`notifications:kind.${kind}.about`)

/** The queries to refetch after notifications are read. */
export const NOTIFICATION_QUERIES = ["/api/notifications", "/api/me"] as const
