import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead, useRecord } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Confirm, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { CheckBox, Form, Select, TextField, type Values } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { TARGETS } from "./rule-target.tsx"

type Event = RecordOf<"/api/gamification-event/tabularlist">
type Type = Event["type"]

const TYPES = [
  "course_completed",
  "learning_path_completed",
  "quiz_passed",
  "assignment_accepted",
  "class_attended",
  "login",
] as const satisfies readonly Type[]
const CHANGED = ["/api/gamification-event"]
const MOST_POINTS = 1_000_000

const isType = (text: string): text is Type => (TYPES as readonly string[]).includes(text)

const bodyOf = (values: Values) => {
  const type = values.text("type")
  return {
    name: values.text("name"),
    type: isType(type) ? type : ("login" as const),
    targetId: values.number("targetId") ?? null,
    badgeId: values.number("badgeId") ?? null,
    points: values.number("points") ?? 0,
    active: values.checked("active"),
  }
}

/** What an event is of, by its type. */
function EventFields({ event }: { event?: Event }) {
  const [type, setType] = useState<string>(event?.type ?? "course_completed")
  const badge = useRead(
    "/api/badge/{id}",
    { params: { path: { id: event?.badgeId ?? 0 } } },
    { enabled: !!event?.badgeId },
  )
  const Target = TARGETS[type]
  return (
    <>
      <TextField name="name" label={t("gamification:name")} defaultValue={event?.name ?? ""} required maxLength={100} />
      <Select
        name="type"
        label={t("gamification:event.trigger")}
        options={TYPES.map((one) => ({ value: one, label: t(`gamification:event.${one}`) }))}
        value={type}
        onChange={setType}
      />
      {Target && <Target key={type} id={event?.type === type ? (event.targetId ?? undefined) : undefined} />}
      <Combobox
        name="badgeId"
        label={t("gamification:badge")}
        path="/api/badges/tabularlist"
        by="title"
        pick={({ id, title }) => ({ id, name: title })}
        value={event?.badgeId ? { id: event.badgeId, name: badge.data?.title ?? String(event.badgeId) } : undefined}
      />
      <TextField
        name="points"
        label={t("gamification:points")}
        hint={t("gamification:event.points")}
        type="number"
        min={0}
        max={MOST_POINTS}
        defaultValue={event?.points ?? 0}
        required
      />
      <CheckBox name="active" label={t("gamification:event.active")} defaultChecked={event?.active ?? true} />
    </>
  )
}

function NewEvent({ onClose }: { onClose: () => void }) {
  const create = useChange({
    call: (body: ReturnType<typeof bodyOf>) => api.POST("/api/gamification-event/create", { body }),
    changes: CHANGED,
  })
  return (
    <Dialog title={t("gamification:event.new")} onClose={onClose}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          await create.mutateAsync(bodyOf(values))
          onClose()
        }}
      >
        <EventFields />
      </Form>
    </Dialog>
  )
}

function EditEvent({ id, onClose }: { id: number; onClose: () => void }) {
  const path = { params: { path: { id } } }
  const found = useRecord("/api/gamification-event/{id}", path)
  const change = useChange({
    call: ({ version, ...body }: ReturnType<typeof bodyOf> & { version: string }) =>
      api.PUT("/api/gamification-event/{id}", { ...path, body, headers: { "If-Match": version } }),
    changes: CHANGED,
  })
  return (
    <Dialog title={t("gamification:event.edit")} onClose={onClose}>
      <Loaded of={found}>
        {({ record, version }) => (
          <Form
            submit={t("save")}
            onSubmit={async (values) => {
              await change.mutateAsync({ ...bodyOf(values), version })
              onClose()
            }}
          >
            <EventFields event={record} />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

type Open = { act: "new" } | { act: "edit"; id: number } | { act: "delete"; events: readonly Event[] }

/** What gives points and badges by itself. */
export default function GamificationEvents() {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const remove = useChange({
    call: (delete_ids: number[]) => api.POST("/api/gamification-event/delete", { body: { delete_ids } }),
    changes: CHANGED,
  })
  const columns: Column<Event>[] = [
    { key: "name", title: t("gamification:name"), sort: "name", render: ({ name }) => name },
    {
      key: "type",
      title: t("gamification:event.trigger"),
      sort: "type",
      render: ({ type }) => t(`gamification:event.${type}`),
    },
    {
      key: "points",
      title: t("gamification:points"),
      sort: "points",
      numeric: true,
      render: ({ points }) => number(points),
    },
    {
      key: "active",
      title: t("gamification:event.active"),
      sort: "active",
      render: ({ active }) => (active ? t("yes") : t("no")),
    },
    {
      key: "acts",
      title: t("gamification:actions"),
      render: ({ id, name }) => (
        <button type="button" onClick={() => setOpen({ act: "edit", id })}>
          {t("edit")} <span class="unseen">{name}</span>
        </button>
      ),
    },
  ]
  return (
    <Page
      title={t("gamification:events")}
      within={{ href: "/console/badges", label: t("gamification:badges") }}
      actions={
        <button type="button" class="primary" onClick={() => setOpen({ act: "new" })}>
          {t("gamification:event.new")}
        </button>
      }
    >
      <Listing
        path="/api/gamification-event/tabularlist"
        caption={t("gamification:events")}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={t("gamification:events.empty")}
        filters={[{ name: "name", label: t("gamification:name") }]}
        actions={(rows, clear) => (
          <>
            <button type="button" class="danger" onClick={() => setOpen({ act: "delete", events: rows })}>
              {t("delete")}
            </button>
            {open?.act === "delete" && (
              <Confirm
                title={t("gamification:event.delete")}
                confirm={t("delete")}
                onConfirm={async () => {
                  await remove.mutateAsync(open.events.map(({ id }) => id))
                  clear()
                }}
                onClose={close}
              >
                <p>{t("gamification:event.delete.text", { names: open.events.map(({ name }) => name).join(", ") })}</p>
                <p>{t("irreversible")}</p>
              </Confirm>
            )}
          </>
        )}
      />
      {open?.act === "new" && <NewEvent onClose={close} />}
      {open?.act === "edit" && <EditEvent id={open.id} onClose={close} />}
    </Page>
  )
}
