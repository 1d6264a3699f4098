//! Marks of pages that money may have been sent. While a payment has one, neither a buyer nor the proxy cancels it.

use aws_lc_rs::digest::{SHA256, digest};
use tender_ledger::{Facts, Stage};
use tender_protocol::sent::{MAX_MARKS, Mark};
use utoipa::IntoParams;

use super::statements;
use super::stored::StoredAttempt;
use crate::store::database::{Result, query};
use crate::store::{Store, Transaction, payments};

/// The name of a mark, which its page chose: the SHA-256 of the secret that removes it.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Path, names("digest"))]
pub(crate) struct MarkDigest(
    /// The SHA-256 of a secret that the page chose, in 64 hexadecimal digits without capitals.
    String,
);

impl MarkDigest {
    pub(crate) fn of(secret: &str) -> Self {
        Self(hex::encode(digest(&SHA256, secret.as_bytes())))
    }

    /// `None` if it is no SHA-256 in hexadecimal digits.
    pub(crate) fn parse(text: String) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 64 && text.bytes().all(is_digit)).then_some(Self(text))
    }
}

/// What became of a request to mark a payment.
pub(crate) enum Marked {
    /// It is marked.
    Set(Mark),
    /// It is being cancelled, or has ended.
    TooLate,
    /// No attempt has it.
    Unknown,
}

impl Store {
    /// Sets the mark with this digest, unless it stands: that money may have been sent for a payment. Where no other stands, it is an
    /// event.
    pub(crate) async fn mark_sent(
        &self,
        transaction_id: &str,
        digest: &MarkDigest,
    ) -> Result<Marked> {
        let MarkDigest(digest) = digest;
        let mut tx = self.transaction().await?;
        lock(&mut tx, transaction_id).await?;
        let standing = query!(statements::MARK, transaction_id, &**digest);
        if let Some((is_first,)) = tx.row::<(i64,)>(standing).await? {
            return Ok(Marked::Set(Mark {
                first: is_first == 1,
                removable: true,
            }));
        }
        let found = query!(statements::BY_TRANSACTION, transaction_id);
        match tx.row::<StoredAttempt>(found).await? {
            None => return Ok(Marked::Unknown),
            Some(stored) if !matches!(stored.stage, Stage::Created(_)) => {
                return Ok(Marked::TooLate);
            }
            Some(_) => {}
        }
        let count = query!(statements::COUNT_MARKS, transaction_id);
        let count = tx.number(count).await?;
        // The page may show an earlier record.
        let latest = payments::latest(&mut tx, transaction_id).await?;
        let is_payable = latest.is_none_or(|latest| {
            let Facts { fate, order, .. } = latest.facts;
            !latest.has_moved && fate.is_none() && order.is_none()
        });
        let mark = Mark {
            first: count == 0 && is_payable,
            removable: count < i64::try_from(MAX_MARKS).unwrap_or(i64::MAX),
        };
        let insert = query!(
            statements::INSERT_MARK,
            transaction_id,
            if mark.removable { digest } else { "" },
            i64::from(mark.first),
            tx.clock.now,
        );
        tx.execute(insert).await?;
        if count == 0 {
            payments::announce_marks(&mut tx, transaction_id).await?;
        }
        tx.commit().await?;
        Ok(Marked::Set(mark))
    }

    /// Removes the mark with this digest, or all marks of the payment. That the last one goes is an event.
    pub(crate) async fn unmark_sent(
        &self,
        transaction_id: &str,
        digest: Option<&MarkDigest>,
    ) -> Result<()> {
        let delete = match digest {
            Some(MarkDigest(digest)) => {
                query!(statements::DELETE_MARK, transaction_id, &**digest)
            }
            None => query!(statements::DELETE_MARKS, transaction_id),
        };
        let mut tx = self.transaction().await?;
        lock(&mut tx, transaction_id).await?;
        let removed = tx.execute(delete).await?;
        let left = query!(statements::COUNT_MARKS, transaction_id);
        if removed > 0 && tx.number(left).await? == 0 {
            payments::announce_marks(&mut tx, transaction_id).await?;
        }
        tx.commit().await
    }
}

/// Until the transaction ends, no cancellation of the payment begins, and no other one changes its marks.
async fn lock(tx: &mut Transaction, transaction_id: &str) -> Result<()> {
    let lock = query!(statements::LOCK_PAYMENT, transaction_id);
    tx.execute(lock).await.map(drop)
}
