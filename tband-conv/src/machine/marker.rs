//! Event markers, spans and value markers, global or of the running task.

use std::io;

use tband_format::Str;

use super::{AnyContext, Context, Timeline};
use crate::diagnostics::Problem;
use crate::model::{Change, MarkerKey, Scope, Sink, TaskRef};
use crate::number::Number;

/// Spans that can be open on a marker at a time; deeper nesting is damage.
const MAX_DEPTH: u32 = 512;

impl Timeline {
    pub(super) fn marker(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        key: MarkerKey,
        msg: Str<'_>,
    ) -> io::Result<()> {
        let Some(marker) = self.world.marker(key) else {
            return self.too_many(context, "evtmarker", key.1);
        };
        let by = self.by(context);
        context.sink.frequent(&self.world, context.at, &Change::Marker(marker, msg, by))
    }

    pub(super) fn span_begin<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        key: MarkerKey,
        msg: Str<'_>,
    ) -> io::Result<()> {
        let Some(marker) = self.world.marker(key) else {
            return self.too_many(&mut context.rare().any(), "evtmarker", key.1);
        };
        if let Some(entry) = self.world.markers.get_mut(marker) {
            if entry.depth >= MAX_DEPTH {
                let text = format!("a span of evtmarker {} is not shown: too many are open", key.1);
                return self.report_finding(&mut context.rare().any(), Problem::TooMany, 1, &text);
            }
            entry.depth += 1;
            let known = self.markers.entry(marker);
            known.proven = self.gaps.of_spans;
            if !std::mem::replace(&mut known.noted, true) {
                self.gaps.learnt_span(marker);
            }
        }
        let by = self.by(context);
        context.sink.frequent(&self.world, context.at, &Change::SpanBegin(marker, msg, by))
    }

    pub(super) fn span_end<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        key: MarkerKey,
    ) -> io::Result<()> {
        let Some(marker) = self.world.marker(key) else {
            return self.too_many(&mut context.rare().any(), "evtmarker", key.1);
        };
        let Some(entry) = self.world.markers.get_mut(marker) else {
            return Ok(());
        };
        let gap = self.gaps.of_spans;
        let was_proven = std::mem::replace(&mut self.markers.entry(marker).proven, gap) == gap;
        match entry.depth.checked_sub(1) {
            Some(depth) => entry.depth = depth,
            // It began before the recording or in a gap.
            None if !was_proven => return Ok(()),
            None => {
                let name = self.world.marker_name(marker);
                let text = format!("a span of {name:#} ends, but none is open");
                return self.report_finding(
                    &mut context.rare().any(),
                    Problem::SpanEndWithoutBegin,
                    1,
                    &text,
                );
            }
        }
        let by = self.by(context);
        context.sink.frequent(&self.world, context.at, &Change::SpanEnd(marker, by))
    }

    /// A task has ended: abandons its open spans.
    #[cold]
    pub(super) fn end_spans(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        task: TaskRef,
    ) -> io::Result<()> {
        for marker in self.gaps.spans().to_vec() {
            let Some(entry) = self.world.markers.get_mut(marker) else { continue };
            if entry.scope != Scope::Task(task) {
                continue;
            }
            for _ in 0..std::mem::take(&mut entry.depth) {
                context.sink.change(&self.world, context.at, &Change::SpanAbandoned(marker))?;
            }
        }
        Ok(())
    }

    pub(super) fn value<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        key: MarkerKey,
        value: Number,
    ) -> io::Result<()> {
        let Some(marker) = self.world.value(key) else {
            return self.too_many(&mut context.rare().any(), "valmarker", key.1);
        };
        let by = self.by(context);
        context.sink.frequent(&self.world, context.at, &Change::Value(marker, value, by))
    }

    /// Whose task-local marker it is that fires on this core.
    pub(super) fn task_scope(&self, core: u32) -> Scope {
        self.cores.get(core).running.map_or(Scope::UnknownTask, Scope::Task)
    }
}
