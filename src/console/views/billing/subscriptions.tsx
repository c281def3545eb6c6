import { CreditCard } from "lucide-preact"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Time } from "../../ui/time.tsx"

const STATUSES = ["Active", "Cancelled", "Expired"] as const

/** The subscriptions of all users. The payment system writes them through the API. */
export default function Subscriptions() {
  return (
    <Page title={t("nav.subscriptions")}>
      <Listing
        path="/api/subscription/tabularlist"
        caption={t("nav.subscriptions")}
        keyOf={({ id }) => id}
        empty={{ icon: CreditCard, text: t("billing:subscriptions.empty") }}
        filters={[
          {
            name: "status",
            label: t("billing:status"),
            options: STATUSES.map((value) => ({ value, label: t(`billing:status.${value}`) })),
            toApi: (value) => [value],
          },
        ]}
        columns={[
          {
            key: "name",
            title: t("billing:subscription"),
            sort: "subscription_name",
            render: ({ subscription_name }) => <span dir="auto">{subscription_name}</span>,
          },
          {
            key: "user",
            title: t("billing:user"),
            render: ({ userId }) => (
              <a href={`/console/users/${userId}`}>{t("billing:user.number", { id: number(userId) })}</a>
            ),
          },
          {
            key: "status",
            title: t("billing:status"),
            sort: "status",
            render: ({ status }) => <Badge status={status}>{t(`billing:status.${status}`)}</Badge>,
          },
          {
            key: "total",
            title: t("billing:total"),
            sort: "total",
            numeric: true,
            render: ({ total, currency }) => `${number(total)} ${currency}`,
          },
          {
            key: "start",
            title: t("billing:start"),
            sort: "start_date",
            render: ({ startsAt }) => <Time value={startsAt} />,
          },
          {
            key: "end",
            title: t("billing:end"),
            sort: "end_date",
            render: ({ endsAt }) => (endsAt ? <Time value={endsAt} /> : t("none")),
          },
        ]}
      />
    </Page>
  )
}
