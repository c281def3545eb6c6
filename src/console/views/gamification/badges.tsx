import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useEditableRecord, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Picker } from "../../ui/picker.tsx"
import type { Column } from "../../ui/table.tsx"
import { BadgeIcon } from "./badge-icon.tsx"
import "./badges.css"

type Badge = RecordOf<"/api/badges/tabularlist">

const BADGE_QUERIES = ["/api/badge"]
const MAX_POINTS = 1_000_000

interface BadgeFieldsProps {
  title?: string
  icon?: string
  points?: number
}

/** The icon is one of the built-in icons or an image URL. */
function BadgeFields({ title = "", icon = "", points = 0 }: BadgeFieldsProps) {
  const defaults = useRead("/api/badges/defaultBadgeLookUp")
  const [url, setUrl] = useState(icon)
  return (
    <>
      <TextField name="title" label={t("gamification:name")} defaultValue={title} required maxLength={100} />
      <Loaded query={defaults}>
        {(icons) => (
          <fieldset class="icons">
            <legend>{t("gamification:icon")}</legend>
            {icons.map(({ value, url: iconUrl }) => (
              <label key={value}>
                <input type="radio" name="icon" checked={url === iconUrl} onChange={() => setUrl(iconUrl)} />
                <img src={iconUrl} alt={value} width="40" height="40" />
              </label>
            ))}
          </fieldset>
        )}
      </Loaded>
      <TextField
        name="badgeIconUrl"
        label={t("gamification:icon.url")}
        hint={t("gamification:icon.hint")}
        value={url}
        onInput={(event) => setUrl(event.currentTarget.value)}
        required
        maxLength={2000}
      />
      <TextField
        name="points"
        label={t("gamification:points")}
        type="number"
        min={0}
        max={MAX_POINTS}
        defaultValue={points}
        required
      />
    </>
  )
}

function NewBadge({ onClose }: { onClose: () => void }) {
  const create = useChange({
    call: (body: { title: string; badgeIconUrl: string; points: number }) => api.POST("/api/badge/create", { body }),
    invalidates: BADGE_QUERIES,
  })
  return (
    <Dialog title={t("gamification:badge.new")} onClose={onClose}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          await create.mutateAsync({
            title: values.text("title"),
            badgeIconUrl: values.text("badgeIconUrl"),
            points: values.number("points") ?? 0,
          })
          onClose()
        }}
      >
        <BadgeFields />
      </Form>
    </Dialog>
  )
}

function EditBadge({ id, onClose }: { id: number; onClose: () => void }) {
  const init = { params: { path: { id } } }
  const editable = useEditableRecord("/api/badge/{id}", init)
  const change = useChange({
    call: ({ version, ...body }: { title: string; badgeIconUrl: string; points: number; version: string }) =>
      api.PUT("/api/badge/{id}", { ...init, body, headers: { "If-Match": version } }),
    invalidates: BADGE_QUERIES,
  })
  return (
    <Dialog title={t("gamification:badge.edit")} onClose={onClose}>
      <Loaded query={editable}>
        {({ record, version }) => (
          <Form
            submit={t("save")}
            onSubmit={async (values) => {
              await change.mutateAsync({
                title: values.text("title"),
                badgeIconUrl: values.text("badgeIconUrl"),
                points: values.number("points") ?? 0,
                version,
              })
              onClose()
            }}
          >
            <BadgeFields title={record.title} icon={record.badgeIconUrl} points={record.points} />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

function AwardDialog({ badge, onClose }: { badge: Badge; onClose: () => void }) {
  const [selected, setSelected] = useState<readonly Choice[]>([])
  const award = useChange({
    call: (user_ids: number[]) => api.POST("/api/badge/award", { body: { id: badge.id, user_ids } }),
    invalidates: ["/api/user/badges", "/api/user/leaderboard"],
  })
  return (
    <Dialog title={t("gamification:award.title", { badge: badge.title })} onClose={onClose}>
      <Form
        submit={t("gamification:award")}
        isReady={selected.length > 0}
        onSubmit={async () => {
          await award.mutateAsync(selected.map(({ id }) => id))
          onClose()
        }}
      >
        <p class="quiet">{t("gamification:award.hint", { points: number(badge.points) })}</p>
        <Picker
          name="user_ids"
          label={t("gamification:users")}
          path="/api/users/tabularlist"
          query={(text) => (text ? { search_param: { nameOrEmail: text } } : {})}
          toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
          selected={selected}
          onSelect={setSelected}
        />
      </Form>
    </Dialog>
  )
}

type OpenDialog =
  | { type: "new" }
  | { type: "edit" | "award"; badge: Badge }
  | { type: "delete"; badges: readonly Badge[] }

export default function Badges() {
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => setOpen(undefined)
  const remove = useChange({
    call: (id: number[]) => api.POST("/api/badge/delete", { body: { id } }),
    invalidates: BADGE_QUERIES,
  })
  const columns: Column<Badge>[] = [
    {
      key: "title",
      title: t("gamification:name"),
      sort: "title",
      render: ({ title, badgeIconUrl }) => (
        <span class="badge-name">
          <BadgeIcon url={badgeIconUrl} />
          {title}
        </span>
      ),
    },
    {
      key: "points",
      title: t("gamification:points"),
      sort: "points",
      numeric: true,
      render: ({ points }) => number(points),
    },
    {
      key: "actions",
      title: t("gamification:actions"),
      render: (badge) => (
        <div class="actions">
          <button type="button" onClick={() => setOpen({ type: "award", badge })}>
            {t("gamification:award")} <span class="unseen">{badge.title}</span>
          </button>
          <button type="button" onClick={() => setOpen({ type: "edit", badge })}>
            {t("edit")} <span class="unseen">{badge.title}</span>
          </button>
        </div>
      ),
    },
  ]
  return (
    <Page
      title={t("gamification:badges")}
      actions={
        <>
          <a class="button" href="/console/badges/events">
            {t("gamification:events")}
          </a>
          <a class="button" href="/console/badges/leaderboard">
            {t("gamification:leaderboard")}
          </a>
          <button type="button" class="primary" onClick={() => setOpen({ type: "new" })}>
            {t("gamification:badge.new")}
          </button>
        </>
      }
    >
      <Listing
        path="/api/badges/tabularlist"
        caption={t("gamification:badges")}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        empty={t("gamification:badges.empty")}
        filters={[{ name: "title", label: t("gamification:name") }]}
        actions={(rows, clear) => (
          <>
            <button type="button" class="danger" onClick={() => setOpen({ type: "delete", badges: rows })}>
              {t("delete")}
            </button>
            {open?.type === "delete" && (
              <ConfirmDialog
                title={t("gamification:badge.delete")}
                confirm={t("delete")}
                onConfirm={async () => {
                  await remove.mutateAsync(open.badges.map(({ id }) => id))
                  clear()
                }}
                onClose={close}
              >
                <p>
                  {t("gamification:badge.delete.text", { names: open.badges.map(({ title }) => title).join(", ") })}
                </p>
                <p>{t("irreversible")}</p>
              </ConfirmDialog>
            )}
          </>
        )}
      />
      {open?.type === "new" && <NewBadge onClose={close} />}
      {open?.type === "edit" && <EditBadge id={open.badge.id} onClose={close} />}
      {open?.type === "award" && <AwardDialog badge={open.badge} onClose={close} />}
    </Page>
  )
}
