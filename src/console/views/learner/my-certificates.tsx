import { Award } from "lucide-preact"
import "./learner.css"
import { useState } from "preact/hooks"
import type { DataOf, RecordOf } from "../../../client/index.ts"
import { useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { safeUrl } from "../../ui/safe-url.ts"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { ShareCertificate } from "./share-certificate.tsx"

type RankedUser = DataOf<"/api/user/leaderboard/{id}", "get">["rankedUsers"][number]

const LEADERBOARD_SIZE = 10

function Badges({ userId }: { userId: number }) {
  const badges = useRead("/api/user/badges/{id}", { params: { path: { id: userId } } })
  return (
    <Loaded query={badges}>
      {(earned) =>
        earned.length === 0 ? (
          <p class="quiet">{t("learner:badges.none")}</p>
        ) : (
          <ul class="badges">
            {earned.map(({ id, title, badgeIconUrl, points, count }) => (
              <li key={id}>
                <img src={safeUrl(badgeIconUrl)} alt="" width="48" height="48" />
                <p>
                  {title}
                  {count > 1 && ` × ${number(count)}`}
                </p>
                <p class="quiet">{t("learner:points", { count: points, shown: number(points) })}</p>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

const leaderboardColumns = () => [
  { key: "rank", title: t("learner:rank"), numeric: true, render: ({ rank }: RankedUser) => number(rank) },
  {
    key: "name",
    title: t("learner:name"),
    render: ({ firstName, lastName }: RankedUser) => `${firstName} ${lastName}`,
  },
  {
    key: "points",
    title: t("learner:points-title"),
    numeric: true,
    render: ({ points }: RankedUser) => number(points),
  },
  {
    key: "badges",
    title: t("learner:badges"),
    numeric: true,
    render: ({ badgeCount }: RankedUser) => number(badgeCount),
  },
]

function Leaderboard({ userId }: { userId: number }) {
  const leaderboard = useRead("/api/user/leaderboard/{id}", {
    params: { path: { id: userId }, query: { page_size: LEADERBOARD_SIZE } },
  })
  return (
    <Loaded query={leaderboard}>
      {({ rankedUsers, userRank, userTier }) => (
        <>
          <p>
            {t("learner:rank-and-tier", { rank: number(userRank), tier: t(`learner:tier.${userTier.toLowerCase()}`) })}
          </p>
          <Table
            caption={t("learner:leaderboard")}
            columns={leaderboardColumns()}
            rows={rankedUsers}
            keyOf={({ id }) => id}
            isNarrow
          />
        </>
      )}
    </Loaded>
  )
}

/** Certificates, badges and leaderboard rank of the caller. */
export default function MyCertificates() {
  const { id } = useMe()
  const [shared, setShared] = useState<RecordOf<"/api/user-certificates/{id}">>()
  return (
    <Page title={t("nav.my-certificates")}>
      <div class="in-order">
        <Listing
          path="/api/user-certificates/{id}"
          pathParams={{ id }}
          caption={t("nav.my-certificates")}
          columns={[
            { key: "course", title: t("learner:course"), sort: "courseName", render: ({ courseName }) => courseName },
            {
              key: "issued",
              title: t("learner:issued"),
              sort: "issueDate",
              render: ({ issueDate }) => <Time value={issueDate} />,
            },
            {
              key: "download",
              title: t("download"),
              render: (certificate) => (
                <a
                  href={`/api/user-certificate/${certificate.id}/download`}
                  download
                  aria-label={t("learner:certificate.download", { course: certificate.courseName })}
                >
                  {t("learner:certificate.pdf")}
                </a>
              ),
            },
            {
              key: "page",
              title: t("learner:certificate.page"),
              render: ({ publicUrl, courseName }) => (
                <a
                  href={publicUrl}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={t("learner:certificate.page-of", { course: courseName })}
                >
                  {t("learner:certificate.open")}
                </a>
              ),
            },
            {
              key: "share",
              title: t("learner:certificate.share-title"),
              render: (certificate) => (
                <button
                  type="button"
                  class="plain"
                  aria-label={t("learner:certificate.share-of", { course: certificate.courseName })}
                  onClick={() => setShared(certificate)}
                >
                  {t("learner:certificate.share-with")}
                </button>
              ),
            },
          ]}
          keyOf={(certificate) => certificate.id}
          filters={[{ name: "courseName", label: t("learner:search.course") }]}
          empty={{
            icon: Award,
            text: t("learner:certificates.none"),
            action: { label: t("nav.my-courses"), href: "/learning" },
          }}
        />
        <p class="quiet">{t("learner:certificate.verify")}</p>
        <section class="card" aria-labelledby="badges">
          <h2 id="badges">{t("learner:badges")}</h2>
          <Badges userId={id} />
        </section>
        <section class="card" aria-labelledby="leaderboard">
          <h2 id="leaderboard">{t("learner:leaderboard")}</h2>
          <Leaderboard userId={id} />
        </section>
      </div>
      {shared && (
        <Dialog title={t("learner:certificate.of", { course: shared.courseName })} onClose={() => setShared(undefined)}>
          <ShareCertificate {...shared} />
        </Dialog>
      )}
    </Page>
  )
}
