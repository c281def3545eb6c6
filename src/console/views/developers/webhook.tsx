import { Send } from "lucide-preact"
import { useState } from "preact/hooks"
import { useLocation, useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Form, Select } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { type Column, Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import "./developers.css"
import { Badge } from "../../ui/badge.tsx"
import { SecretDialog } from "./secret-dialog.tsx"
import { toWebhookBody, WebhookFields } from "./webhook-form.tsx"
import { WebhookStatus } from "./webhook-status.tsx"

type Delivery = Schemas["WebhookDelivery"]

const STATUSES = ["delivered", "waiting", "failed"] as const
const PAGE_SIZE = 25
const POLL_MS = 5_000

const columns = (): Column<Delivery>[] => [
  {
    key: "event",
    title: t("developers:webhooks.event"),
    render: ({ type, eventId }) => (
      <>
        <span class="nowrap" lang="en">
          {type}
        </span>
        <br />
        <code class="quiet">{eventId}</code>
      </>
    ),
  },
  { key: "at", title: t("developers:webhooks.occurred"), render: ({ occurredAt }) => <Time value={occurredAt} /> },
  {
    key: "status",
    title: t("developers:webhooks.delivery-status"),
    render: ({ status }) => <Badge status={status}>{t(`developers:webhooks.delivery-status.${status}`)}</Badge>,
  },
  {
    key: "attempts",
    title: t("developers:webhooks.attempts"),
    numeric: true,
    render: ({ attempts }) => number(attempts),
  },
  { key: "last", title: t("developers:webhooks.last"), render: ({ lastAttemptAt }) => <Time value={lastAttemptAt} /> },
  { key: "next", title: t("developers:webhooks.next"), render: ({ nextAttemptAt }) => <Time value={nextAttemptAt} /> },
  {
    key: "response",
    title: t("developers:webhooks.response"),
    render: ({ answerStatus, answer, error }) => (
      <>
        {answerStatus !== null && <Badge>{answerStatus}</Badge>}{" "}
        <span lang="en" dir="auto">
          {error}
        </span>
        {answer && (
          <details>
            <summary>{t("developers:webhooks.response.body")}</summary>
            <pre class="response-body" dir="auto">
              {answer}
            </pre>
          </details>
        )}
      </>
    ),
  },
]

/** Deliveries, newest first; polled while the page is open. */
function Deliveries({ id }: { id: number }) {
  const { query, change } = useUrlState()
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())
  const status = STATUSES.find((candidate) => candidate === query.status)
  const before = query.before
  const page = useRead(
    "/api/webhook/{id}/deliveries",
    { params: { path: { id }, query: { page_size: PAGE_SIZE, ...(status && { status }), ...(before && { before }) } } },
    { pollMs: before ? false : POLL_MS },
  )
  const resend = useChange({
    call: (event_ids: string[]) => api.POST("/api/webhook/redeliver", { body: { id, event_ids } }),
    invalidates: ["/api/webhook/{id}/deliveries"],
  })
  /** Actions apply to rows that are shown: another page or status starts without a selection. */
  const show = (params: { status?: string; before: string }) => {
    setSelected(new Set())
    change(params)
  }
  const resendSelected = async () => {
    await resend.mutateAsync([...selected].map(String))
    setSelected(new Set())
  }
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{t("developers:webhooks.deliveries")}</h2>
      <search class="filters">
        <Select
          name="status"
          label={t("developers:webhooks.delivery-status")}
          none={t("any")}
          value={status}
          options={STATUSES.map((option) => ({
            value: option,
            label: t(`developers:webhooks.delivery-status.${option}`),
          }))}
          onChange={(selectedStatus) => show({ status: selectedStatus, before: "" })}
        />
      </search>
      <ErrorMessage error={resend.error} />
      <Loaded query={page}>
        {({ deliveries, cursor }) => (
          <>
            <div class="list-head">
              <p>{before ? t("developers:webhooks.older") : t("developers:webhooks.live")}</p>
              {selected.size > 0 && (
                <div class="actions">
                  <button type="button" disabled={resend.isPending} onClick={resendSelected}>
                    {t("developers:webhooks.resend", { count: selected.size, shown: number(selected.size) })}
                  </button>
                </div>
              )}
            </div>
            {deliveries.length === 0 ? (
              <EmptyState icon={Send} text={t(status ? "list.no-results" : "developers:webhooks.none")} />
            ) : (
              <Table
                caption={t("developers:webhooks.deliveries")}
                columns={columns()}
                rows={deliveries}
                keyOf={({ eventId }) => eventId}
                selected={selected}
                onSelect={setSelected}
                nameOf={({ eventId }) => eventId}
              />
            )}
            {(before || cursor) && (
              <nav class="pager" aria-label={t("pages.of", { list: t("developers:webhooks.deliveries") })}>
                <button type="button" disabled={!before} onClick={() => show({ before: "" })}>
                  {t("developers:webhooks.newest")}
                </button>
                <button type="button" disabled={!cursor} onClick={() => show({ before: cursor ?? "" })}>
                  {t("pages.next")}
                </button>
              </nav>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

const WEBHOOK_QUERIES = ["/api/webhook"] as const

function EditWebhook({ id, onClose }: { id: number; onClose: () => void }) {
  const editable = useEditableRecord("/api/webhook/{id}", { params: { path: { id } } })
  const change = useChange({
    call: ({ body, version }: { body: Schemas["WebhookChanges"]; version: string }) =>
      api.PUT("/api/webhook/{id}", { params: { path: { id } }, body, headers: { "If-Match": version } }),
    invalidates: WEBHOOK_QUERIES,
  })
  return (
    <Dialog title={t("developers:webhooks.edit")} onClose={onClose}>
      <Loaded query={editable}>
        {({ record, version }) => (
          <Form
            submit={t("save")}
            onSubmit={async (values) => {
              const body = toWebhookBody(values)
              await refetchOnConflict(() => change.mutateAsync({ body, version }), editable.refetch)
              onClose()
            }}
          >
            <WebhookFields existing={record} />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

export default function Webhook() {
  const { params } = useRoute()
  const { route } = useLocation()
  const id = Number(params.id)
  const query = useRead("/api/webhook/{id}", { params: { path: { id } } }, { pollMs: POLL_MS })
  const [open, setOpen] = useState<"edit" | "roll-secret" | "delete" | { secret: string }>()
  const close = () => setOpen((current) => (current === open ? undefined : current))
  const toggle = useChange({
    call: (enabled: boolean) => api.PUT("/api/webhook/{id}", { params: { path: { id } }, body: { enabled } }),
    invalidates: WEBHOOK_QUERIES,
  })
  const test = useChange({ call: () => api.POST("/api/webhook/test", { body: { id } }), invalidates: WEBHOOK_QUERIES })
  const rollSecret = useChange({ call: () => api.POST("/api/webhook/rotate", { body: { id } }), invalidates: [] })
  const remove = useChange({
    call: () => api.POST("/api/webhook/delete", { body: { delete_ids: [id] } }),
    invalidates: ["/api/webhook/tabularlist"],
  })
  const parent = { href: "/console/webhooks", label: t("nav.webhooks") }
  return (
    <Loaded query={query} parent={parent}>
      {(webhook) => (
        <Page
          title={webhook.url}
          parent={parent}
          actions={
            <>
              <button
                type="button"
                disabled={!webhook.enabled || test.isPending}
                onClick={() => test.mutate(undefined)}
              >
                {t("developers:webhooks.test")}
              </button>
              <button type="button" onClick={() => setOpen("edit")}>
                {t("edit")}
              </button>
              <button type="button" disabled={toggle.isPending} onClick={() => toggle.mutate(!webhook.enabled)}>
                {t(webhook.enabled ? "developers:webhooks.disable" : "developers:webhooks.enable")}
              </button>
              <button type="button" onClick={() => setOpen("roll-secret")}>
                {t("developers:webhooks.roll-secret")}
              </button>
              <button type="button" onClick={() => setOpen("delete")}>
                {t("delete")}
              </button>
            </>
          }
        >
          <ErrorMessage error={test.error ?? toggle.error} />
          <section class="card" aria-label={t("details")}>
            <dl class="facts">
              <dt>{t("developers:webhooks.webhook-status")}</dt>
              <dd>
                <WebhookStatus webhook={webhook} />
              </dd>
              <dt>{t("developers:webhooks.events")}</dt>
              <dd lang="en">{webhook.events.join(", ")}</dd>
              {webhook.description && (
                <>
                  <dt>{t("developers:webhooks.description")}</dt>
                  <dd dir="auto">{webhook.description}</dd>
                </>
              )}
              <dt>{t("developers:webhooks.created")}</dt>
              <dd>
                <Time value={webhook.created_at} />
              </dd>
            </dl>
          </section>
          <Deliveries id={id} />
          {open === "edit" && <EditWebhook id={id} onClose={close} />}
          {open === "roll-secret" && (
            <ConfirmDialog
              title={t("developers:webhooks.roll-secret")}
              confirm={t("developers:webhooks.roll-secret")}
              onConfirm={async () => setOpen({ secret: (await rollSecret.mutateAsync(undefined)).secret })}
              onClose={close}
            >
              <p>{t("developers:webhooks.roll-secret.about")}</p>
            </ConfirmDialog>
          )}
          {open === "delete" && (
            <ConfirmDialog
              title={t("developers:webhooks.delete")}
              confirm={t("delete")}
              onConfirm={async () => {
                await remove.mutateAsync(undefined)
                route("/console/webhooks")
              }}
              onClose={close}
            >
              <p>{t("developers:webhooks.delete.about", { url: webhook.url })}</p>
              <p>{t("irreversible")}</p>
            </ConfirmDialog>
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
      )}
    </Loaded>
  )
}
