import { ShoppingBag } from "lucide-preact"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Time } from "../../ui/time.tsx"
import { itemsText } from "./items.ts"

const STATUSES = ["pending", "completed", "refunded", "failed"] as const

/** The orders of all users. The shop or the payment system writes them through the API. */
export default function Orders() {
  return (
    <Page title={t("nav.orders")}>
      <Listing
        path="/api/order/tabularlist"
        caption={t("nav.orders")}
        keyOf={({ id }) => id}
        empty={{ icon: ShoppingBag, text: t("billing:orders.empty") }}
        filters={[
          { name: "nameOrEmail", label: t("billing:search") },
          {
            name: "status",
            label: t("billing:status"),
            options: STATUSES.map((value) => ({ value, label: t(`billing:status.${value}`) })),
            toApi: (value) => [value],
          },
        ]}
        columns={[
          { key: "number", title: t("billing:number"), sort: "id", render: ({ id }) => id },
          {
            key: "user",
            title: t("billing:user"),
            render: ({ userId, userName }) =>
              userId === null ? userName : <a href={`/console/users/${userId}`}>{userName}</a>,
          },
          { key: "items", title: t("billing:items"), render: ({ items }) => itemsText(items) },
          {
            key: "total",
            title: t("billing:total"),
            sort: "total",
            numeric: true,
            render: ({ display_total }) => display_total,
          },
          {
            key: "status",
            title: t("billing:status"),
            sort: "status",
            render: ({ status }) => <Badge status={status}>{t(`billing:status.${status}`)}</Badge>,
          },
          {
            key: "created",
            title: t("billing:created"),
            sort: "created_at",
            render: ({ createdAt }) => <Time value={createdAt} />,
          },
        ]}
      />
    </Page>
  )
}
