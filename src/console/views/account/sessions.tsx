import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Confirm, Dialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useAddress } from "../../ui/url-state.ts"

type Device = RecordOf<"/api/session/tabularlist">

const columns = (): Column<Device>[] => [
  {
    key: "device",
    title: t("account:sessions.device"),
    sort: "device",
    render: ({ device, current }) => (
      <>
        <span dir="auto">{device}</span> {current && <span class="badge">{t("account:sessions.current")}</span>}
      </>
    ),
  },
  {
    key: "created",
    title: t("account:sessions.signed-in"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
  {
    key: "used",
    title: t("account:sessions.last-used"),
    render: ({ last_used_at }) => <Time value={last_used_at} />,
  },
  {
    key: "ends",
    title: t("account:sessions.expires"),
    sort: "expires_at",
    render: ({ expires_at }) => <Time value={expires_at} />,
  },
]

/** Signs out by a form of the page itself: its answer ends this browser's session and leads to the sign-in page. */
const Everywhere = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t("account:sessions.sign-out-all")} onClose={onClose}>
    <p>{t("account:sessions.sign-out-all.about")}</p>
    <form method="post" action="/logout" class="actions">
      <input type="hidden" name="everywhere" value="true" />
      <button type="submit" class="danger">
        {t("account:sessions.sign-out-all")}
      </button>
      <button type="button" onClick={onClose}>
        {t("cancel")}
      </button>
    </form>
  </Dialog>
)

/** The devices that are signed in: the caller's own, or those of the user whom `?user=` names. */
export default function Sessions() {
  const me = useMe()
  const { query } = useAddress()
  const named = Number(query.user)
  const other = may(me, "admin") && named > 0 && named !== me.id ? named : undefined
  const user = useRead("/api/user/{id}", { params: { path: { id: other ?? 0 } } }, { enabled: other !== undefined })
  const [ends, setEnds] = useState<{ devices: readonly Device[]; done: () => void }>()
  const [everywhere, setEverywhere] = useState(false)
  const end = useChange({
    call: (delete_ids: number[]) => api.POST("/api/session/delete", { body: { delete_ids } }),
    changes: ["/api/session"],
  })
  const whose = user.data ? `${user.data.firstName} ${user.data.lastName}` : String(other)
  return (
    <Page
      title={other === undefined ? t("nav.sessions") : t("account:sessions.of", { name: whose })}
      {...(other !== undefined && { within: { href: `/console/users/${other}`, label: whose } })}
      actions={
        other === undefined && (
          <button type="button" class="danger" onClick={() => setEverywhere(true)}>
            {t("account:sessions.sign-out-all")}
          </button>
        )
      }
    >
      <p class="quiet">{t("account:sessions.about")}</p>
      <Listing
        path="/api/session/tabularlist"
        caption={t("nav.sessions")}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={({ device }) => device}
        empty={t("account:sessions.none")}
        {...(other !== undefined && { query: { user_id: other } })}
        actions={(devices, clear) => (
          <button type="button" onClick={() => setEnds({ devices, done: clear })}>
            {t("account:sessions.sign-out")}
          </button>
        )}
      />
      {ends && (
        <Confirm
          title={t("account:sessions.sign-out")}
          confirm={t("account:sessions.sign-out")}
          onConfirm={async () => {
            await end.mutateAsync(ends.devices.map(({ id }) => id))
            ends.done()
          }}
          onClose={() => setEnds(undefined)}
        >
          <p>
            {t("account:sessions.sign-out.about", { count: ends.devices.length, shown: number(ends.devices.length) })}
          </p>
          <ul>
            {ends.devices.map(({ id, device }) => (
              <li key={id} dir="auto">
                {device}
              </li>
            ))}
          </ul>
        </Confirm>
      )}
      {everywhere && <Everywhere onClose={() => setEverywhere(false)} />}
    </Page>
  )
}
