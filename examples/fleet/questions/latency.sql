WITH ranked AS (
  SELECT recordings.build_id, states.task, states.end_ns - states.begin_ns AS ns,
         row_number() OVER (PARTITION BY recordings.build_id, states.task ORDER BY states.end_ns - states.begin_ns) AS place,
         count(*) OVER (PARTITION BY recordings.build_id, states.task) AS times
  FROM states JOIN recordings ON states.recording = recordings.recording
  WHERE states.state = 'ready' AND NOT states.is_idle AND states.begin_seen AND states.end_seen
)
SELECT build_id, task, max(times) AS times, min(CASE WHEN place * 100 >= times * 99 THEN ns END) AS p99_ns, max(ns) AS longest_ns
FROM ranked GROUP BY build_id, task ORDER BY task, build_id;
