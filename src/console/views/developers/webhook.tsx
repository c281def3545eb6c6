import { useState } from "preact/hooks"
import { useLocation, useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Confirm, Dialog } from "../../ui/dialog.tsx"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { Form, Select } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { type Column, Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useAddress } from "../../ui/url-state.ts"
import "./developers.css"
import { Secret } from "./secret-dialog.tsx"
import { WebhookFields, webhookOf } from "./webhook-form.tsx"
import { WebhookState } from "./webhook-status.tsx"

type Delivery = Schemas["WebhookDelivery"]

const STATUSES = ["delivered", "waiting", "failed"] as const
const PAGE_SIZE = 25
/** How often the newest deliveries are read anew. */
const EVERY = 5_000

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
    render: ({ status }) => <span class="badge">{t(`developers:webhooks.delivery-status.${status}`)}</span>,
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
    key: "answer",
    title: t("developers:webhooks.response"),
    render: ({ answerStatus, answer, error }) => (
      <>
        {answerStatus !== null && <span class="badge">{answerStatus}</span>}{" "}
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

/** What became of the events that it was sent, the newest first; read anew while it is open. */
function Deliveries({ id }: { id: number }) {
  const { query, change } = useAddress()
  const [chosen, choose] = useState<ReadonlySet<string | number>>(new Set())
  const status = STATUSES.find((one) => one === query.status)
  const before = query.before
  const page = useRead(
    "/api/webhook/{id}/deliveries",
    { params: { path: { id }, query: { page_size: PAGE_SIZE, ...(status && { status }), ...(before && { before }) } } },
    { every: before ? false : EVERY },
  )
  const redeliver = useChange({
    call: (event_ids: string[]) => api.POST("/api/webhook/redeliver", { body: { id, event_ids } }),
    changes: ["/api/webhook/{id}/deliveries"],
  })
  const ask = async () => {
    await redeliver.mutateAsync([...chosen].map(String))
    choose(new Set())
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
          options={STATUSES.map((one) => ({ value: one, label: t(`developers:webhooks.delivery-status.${one}`) }))}
          onChange={(one) => change({ status: one, before: "" })}
        />
      </search>
      <Problem error={redeliver.error} />
      <Loaded of={page}>
        {({ deliveries, cursor }) => (
          <>
            <div class="list-head">
              <p>{before ? t("developers:webhooks.older") : t("developers:webhooks.live")}</p>
              {chosen.size > 0 && (
                <div class="actions">
                  <button type="button" disabled={redeliver.isPending} onClick={ask}>
                    {t("developers:webhooks.resend", { count: chosen.size, shown: number(chosen.size) })}
                  </button>
                </div>
              )}
            </div>
            {deliveries.length === 0 ? (
              <p class="empty">{t(status ? "list.no-results" : "developers:webhooks.none")}</p>
            ) : (
              <Table
                caption={t("developers:webhooks.deliveries")}
                columns={columns()}
                rows={deliveries}
                keyOf={({ eventId }) => eventId}
                chosen={chosen}
                onChoose={choose}
                nameOf={({ eventId }) => eventId}
              />
            )}
            {(before || cursor) && (
              <nav class="pager" aria-label={t("pages.of", { list: t("developers:webhooks.deliveries") })}>
                <button type="button" disabled={!before} onClick={() => change({ before: "" })}>
                  {t("developers:webhooks.newest")}
                </button>
                <button type="button" disabled={!cursor} onClick={() => change({ before: cursor ?? "" })}>
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

/** One webhook: what it is sent, what became of that, and what can be done. */
export default function Webhook() {
  const { params } = useRoute()
  const { route } = useLocation()
  const id = Number(params.id)
  const webhook = useRead("/api/webhook/{id}", { params: { path: { id } } }, { every: EVERY })
  const [open, setOpen] = useState<"edit" | "rotate" | "delete" | { secret: string }>()
  const close = () => setOpen((now) => (now === open ? undefined : now))
  const changes = ["/api/webhook"]
  const edit = useChange({
    call: (body: Schemas["WebhookChanges"]) => api.PUT("/api/webhook/{id}", { params: { path: { id } }, body }),
    changes,
  })
  const test = useChange({ call: () => api.POST("/api/webhook/test", { body: { id } }), changes })
  const rotate = useChange({ call: () => api.POST("/api/webhook/rotate", { body: { id } }), changes: [] })
  const remove = useChange({
    call: () => api.POST("/api/webhook/delete", { body: { delete_ids: [id] } }),
    changes: ["/api/webhook/tabularlist"],
  })
  return (
    <Loaded of={webhook}>
      {(of) => (
        <Page
          title={of.url}
          within={{ href: "/console/webhooks", label: t("nav.webhooks") }}
          actions={
            <>
              <button type="button" disabled={!of.enabled || test.isPending} onClick={() => test.mutate(undefined)}>
                {t("developers:webhooks.test")}
              </button>
              <button type="button" onClick={() => setOpen("edit")}>
                {t("edit")}
              </button>
              <button type="button" disabled={edit.isPending} onClick={() => edit.mutate({ enabled: !of.enabled })}>
                {t(of.enabled ? "developers:webhooks.disable" : "developers:webhooks.enable")}
              </button>
              <button type="button" onClick={() => setOpen("rotate")}>
                {t("developers:webhooks.roll-secret")}
              </button>
              <button type="button" onClick={() => setOpen("delete")}>
                {t("delete")}
              </button>
            </>
          }
        >
          <Problem error={test.error ?? (open ? undefined : edit.error)} />
          <section class="card" aria-label={t("details")}>
            <dl class="facts">
              <dt>{t("developers:webhooks.webhook-status")}</dt>
              <dd>
                <WebhookState of={of} />
              </dd>
              <dt>{t("developers:webhooks.events")}</dt>
              <dd lang="en">{of.events.join(", ")}</dd>
              {of.description && (
                <>
                  <dt>{t("developers:webhooks.description")}</dt>
                  <dd dir="auto">{of.description}</dd>
                </>
              )}
              <dt>{t("developers:webhooks.created")}</dt>
              <dd>
                <Time value={of.created_at} />
              </dd>
            </dl>
          </section>
          <Deliveries id={id} />
          {open === "edit" && (
            <Dialog title={t("developers:webhooks.edit")} onClose={close}>
              <Form
                submit={t("save")}
                onSubmit={async (values) => {
                  await edit.mutateAsync(webhookOf(values))
                  close()
                }}
              >
                <WebhookFields of={of} />
              </Form>
            </Dialog>
          )}
          {open === "rotate" && (
            <Confirm
              title={t("developers:webhooks.roll-secret")}
              confirm={t("developers:webhooks.roll-secret")}
              onConfirm={async () => setOpen({ secret: (await rotate.mutateAsync(undefined)).secret })}
              onClose={close}
            >
              <p>{t("developers:webhooks.roll-secret.about")}</p>
            </Confirm>
          )}
          {open === "delete" && (
            <Confirm
              title={t("developers:webhooks.delete")}
              confirm={t("delete")}
              onConfirm={async () => {
                await remove.mutateAsync(undefined)
                route("/console/webhooks")
              }}
              onClose={close}
            >
              <p>{t("developers:webhooks.delete.about", { url: of.url })}</p>
              <p>{t("irreversible")}</p>
            </Confirm>
          )}
          {typeof open === "object" && (
            <Secret
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
