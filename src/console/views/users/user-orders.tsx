import { CreditCard, ShoppingBag } from "lucide-preact"
import type { DataOf } from "../../../client/types.ts"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Time } from "../../ui/time.tsx"

type Address = DataOf<"/api/user/userAddress/{id}", "get">[number]

const Addresses = ({ title, addresses }: { title: string; addresses: readonly Address[] }) => (
  <section class="card">
    <h2>{title}</h2>
    {addresses.length === 0 && <p class="quiet">{t("none")}</p>}
    {addresses.map((address) => (
      <address key={address.id} class="postal">
        {[
          address.fullName,
          address.orgName,
          address.addressLine1,
          address.addressLine2,
          `${address.zipcode} ${address.city}`.trim(),
          address.state,
          address.country,
        ]
          .filter(Boolean)
          .join(", ")}{" "}
        {address.isDefault && <Badge>{t("users:default-address")}</Badge>}
      </address>
    ))}
  </section>
)

/** Orders, subscriptions and addresses of a user. */
export default function UserOrders({ id }: { id: number }) {
  const init = { params: { path: { id } } }
  const billing = useRead("/api/user/userAddress/{id}", init)
  const shipping = useRead("/api/user/userShippingAddress/{id}", init)
  return (
    <>
      <h2>{t("users:orders")}</h2>
      <Listing
        path="/api/user-orders"
        caption={t("users:orders")}
        keyOf={(order) => order.id}
        query={{ user_id: id }}
        prefix="orders."
        empty={{ icon: ShoppingBag, text: t("users:orders.none") }}
        size={10}
        columns={[
          { key: "id", title: t("users:number"), sort: "id", render: (order) => order.id },
          { key: "items", title: t("users:items"), render: ({ items }) => items },
          {
            key: "total",
            title: t("users:total"),
            sort: "total",
            numeric: true,
            render: ({ display_total }) => display_total,
          },
          {
            key: "status",
            title: t("users:status"),
            sort: "status",
            render: ({ status }) => t(`billing:status.${status}`),
          },
          {
            key: "created",
            title: t("users:created"),
            sort: "created_at",
            render: ({ created_at }) => <Time value={created_at} />,
          },
        ]}
      />
      <h2>{t("users:subscriptions")}</h2>
      <Listing
        path="/api/user-subscriptions"
        caption={t("users:subscriptions")}
        keyOf={(subscription) => subscription.id}
        query={{ user_id: id }}
        prefix="subscriptions."
        empty={{ icon: CreditCard, text: t("users:subscriptions.none") }}
        size={10}
        columns={[
          { key: "name", title: t("users:subscription"), render: (subscription) => subscription.subscription_name },
          { key: "item", title: t("users:items"), render: ({ item }) => item },
          {
            key: "status",
            title: t("users:status"),
            sort: "status",
            render: ({ status }) => t(`billing:status.${status}`),
          },
          {
            key: "total",
            title: t("users:total"),
            sort: "total",
            numeric: true,
            render: ({ total }) => number(total),
          },
          {
            key: "start",
            title: t("users:start"),
            sort: "start_date",
            render: ({ start_date }) => <Time value={start_date} />,
          },
          { key: "end", title: t("users:end"), sort: "end_date", render: ({ end_date }) => <Time value={end_date} /> },
        ]}
      />
      <div class="cards">
        <Loaded query={billing}>
          {(addresses) => <Addresses title={t("users:billing-addresses")} addresses={addresses} />}
        </Loaded>
        <Loaded query={shipping}>
          {(addresses) => <Addresses title={t("users:shipping-addresses")} addresses={addresses} />}
        </Loaded>
      </div>
    </>
  )
}
