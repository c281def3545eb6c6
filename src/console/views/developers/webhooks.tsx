import { Webhook as WebhookIcon } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf, Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import "./developers.css"
import { SecretDialog } from "./secret-dialog.tsx"
import { toWebhookBody, WebhookFields } from "./webhook-form.tsx"
import { WebhookStatus } from "./webhook-status.tsx"

type Webhook = RecordOf<"/api/webhook/tabularlist">

const columns = (): Column<Webhook>[] => [
  {
    key: "url",
    title: t("developers:webhooks.url"),
    sort: "url",
    render: ({ id, url }) => (
      <a href={`/console/webhooks/${id}`} dir="ltr">
        {url}
      </a>
    ),
  },
  {
    key: "description",
    title: t("developers:webhooks.description"),
    render: ({ description }) => <span dir="auto">{description}</span>,
  },
  {
    key: "events",
    title: t("developers:webhooks.events"),
    render: ({ events }) => <span lang="en">{events.join(", ")}</span>,
  },
  {
    key: "status",
    title: t("developers:webhooks.webhook-status"),
    render: (webhook) => <WebhookStatus webhook={webhook} />,
  },
  {
    key: "created",
    title: t("developers:webhooks.created"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

export default function Webhooks() {
  const [open, setOpen] = useState<"new" | { secret: string }>()
  const create = useChange({
    call: (body: Schemas["NewWebhook"]) => api.POST("/api/webhook/create", { body }),
    invalidates: ["/api/webhook"],
  })
  const close = () => setOpen(undefined)
  return (
    <Page
      title={t("nav.webhooks")}
      actions={
        <button type="button" class="primary" onClick={() => setOpen("new")}>
          {t("developers:webhooks.new")}
        </button>
      }
    >
      <Listing
        path="/api/webhook/tabularlist"
        caption={t("nav.webhooks")}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={{
          icon: WebhookIcon,
          text: t("developers:webhooks.empty"),
          action: { label: t("developers:webhooks.new"), onClick: () => setOpen("new") },
        }}
      />
      {open === "new" && (
        <Dialog title={t("developers:webhooks.new")} onClose={close}>
          <Form
            submit={t("create")}
            onSubmit={async (values) => setOpen({ secret: (await create.mutateAsync(toWebhookBody(values))).secret })}
          >
            <WebhookFields />
          </Form>
        </Dialog>
      )}
      {typeof open === "object" && (
        <SecretDialog
          title={t("developers:webhooks.new-secret")}
          about={t("developers:webhooks.new-secret.about")}
          label={t("developers:webhooks.secret")}
          value={open.secret}
          onClose={close}
        />
      )}
    </Page>
  )
}
