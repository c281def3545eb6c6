import { ShoppingCart } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Time } from "../../ui/time.tsx"
import { itemsText } from "./items.ts"

/** Carts that were not ordered, whose owners can be reminded. The shop writes them through the API. */
export default function Carts() {
  const [reminded, setReminded] = useState<RecordOf<"/api/cart/tabularlist">>()
  const remind = useChange({
    call: (id: number) => api.POST("/api/sendCartReminderEmail", { params: { query: { id } } }),
    invalidates: ["/api/cart"],
  })
  return (
    <Page title={t("nav.carts")}>
      <Listing
        path="/api/cart/tabularlist"
        caption={t("nav.carts")}
        keyOf={({ id }) => id}
        empty={{ icon: ShoppingCart, text: t("billing:carts.empty") }}
        columns={[
          {
            key: "user",
            title: t("billing:user"),
            render: ({ userId, userName }) => <a href={`/console/users/${userId}`}>{userName}</a>,
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
            key: "created",
            title: t("billing:created"),
            sort: "created_at",
            render: ({ createdAt }) => <Time value={createdAt} />,
          },
          {
            key: "reminded",
            title: t("billing:reminded"),
            sort: "reminded_at",
            render: ({ remindedAt }) => (remindedAt ? <Time value={remindedAt} /> : t("none")),
          },
          {
            key: "actions",
            title: t("actions"),
            render: (cart) => (
              <button type="button" onClick={() => setReminded(cart)}>
                {t("billing:remind")} <span class="unseen">{cart.userName}</span>
              </button>
            ),
          },
        ]}
      />
      {reminded && (
        <ConfirmDialog
          title={t("billing:remind.title")}
          confirm={t("billing:remind")}
          onConfirm={() => remind.mutateAsync(reminded.id)}
          onClose={() => setReminded(undefined)}
        >
          <p>{t("billing:remind.text", { name: reminded.userName })}</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
