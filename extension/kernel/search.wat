;; The loops of a search that visit every chunk or posting, on memory that belongs to someone else.
;;
;; numpy in WebAssembly has neither BLAS nor SIMD, and each of its steps over a library costs a pass over memory.
;; This module imports the memory numpy's arrays live in and works on them in place: the caller passes addresses
;; of C-contiguous arrays, nothing is copied. Results equal those of core/search/kernel.py bit for bit.
(module
  (import "env" "memory" (memory 0))

  (func $sum_i32 (param $v v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $v)) (i32x4.extract_lane 1 (local.get $v)))
      (i32.add (i32x4.extract_lane 2 (local.get $v)) (i32x4.extract_lane 3 (local.get $v)))))

  ;; out[i] = (sum_j m[i,j] * q[j]) * (scales[i] * factor)
  ;;
  ;; m int8 (n, d), q int16 (d), scales and out float32 (n); d is a positive multiple of 16, n may be 0. The sum is
  ;; an exact int32: dot_i16x8 multiplies 16-bit lanes and adds neighbours into 32 bits, so the caller bounds |q|.
  ;; A row at a time already reads memory as fast as it comes; several at once gain nothing.
  (func (export "scaled_products")
    (param $m i32) (param $q i32) (param $scales i32) (param $factor f32) (param $out i32)
    (param $n i32) (param $d i32)
    (local $column i32) (local $end i32) (local $row16 v128)
    (local $low v128) (local $high v128)
    (local.set $end (i32.add (local.get $q) (i32.shl (local.get $d) (i32.const 1))))
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $column (local.get $q))
        (loop $columns
          (local.set $row16 (v128.load (local.get $m)))
          (local.set $low (i32x4.add (local.get $low)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $row16)) (v128.load (local.get $column)))))
          (local.set $high (i32x4.add (local.get $high)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $row16))
              (v128.load offset=16 (local.get $column)))))
          (local.set $m (i32.add (local.get $m) (i32.const 16)))
          (local.set $column (i32.add (local.get $column) (i32.const 32)))
          (br_if $columns (i32.lt_u (local.get $column) (local.get $end))))
        (f32.store (local.get $out)
          (f32.mul
            (f32.convert_i32_s (call $sum_i32 (i32x4.add (local.get $low) (local.get $high))))
            (f32.mul (f32.load (local.get $scales)) (local.get $factor))))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $row))))

  ;; sums[document] += weight * tf / (tf + saturations[document]) for every posting of the terms
  ;;
  ;; segments: rows of six int32, one a segment: its first slot, the addresses of its term ids (ascending int32),
  ;; their number, the addresses of its offsets (int32), documents (uint16, from the first slot) and tfs (uint8).
  ;; terms int32 and weights float32 (n_terms); saturations float32 and sums float64, by slot.
  (func (export "add_postings")
    (param $segments i32) (param $n_segments i32) (param $terms i32) (param $weights i32) (param $n_terms i32)
    (param $saturations i32) (param $sums i32)
    (local $own_saturations i32) (local $own_sums i32) (local $ids i32) (local $n_ids i32)
    (local $i i32) (local $term i32) (local $weight f32)
    (local $low i32) (local $high i32) (local $middle i32)
    (local $posting i32) (local $end i32) (local $document i32) (local $tf f32) (local $sum i32)
    (block $done
      (loop $segment
        (br_if $done (i32.eqz (local.get $n_segments)))
        (local.set $i (i32.load (local.get $segments)))
        (local.set $own_saturations (i32.add (local.get $saturations) (i32.shl (local.get $i) (i32.const 2))))
        (local.set $own_sums (i32.add (local.get $sums) (i32.shl (local.get $i) (i32.const 3))))
        (local.set $ids (i32.load offset=4 (local.get $segments)))
        (local.set $n_ids (i32.load offset=8 (local.get $segments)))
        (local.set $i (i32.const 0))
        (block $last
          (loop $next
            (br_if $last (i32.ge_u (local.get $i) (local.get $n_terms)))
            (local.set $term (i32.load (call $at (local.get $terms) (local.get $i))))
            (local.set $weight (f32.load (call $at (local.get $weights) (local.get $i))))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            ;; The first place whose id is not below the term.
            (local.set $low (i32.const 0))
            (local.set $high (local.get $n_ids))
            (block $found
              (loop $halve
                (br_if $found (i32.ge_u (local.get $low) (local.get $high)))
                (local.set $middle (i32.shr_u (i32.add (local.get $low) (local.get $high)) (i32.const 1)))
                (if (i32.lt_s (i32.load (call $at (local.get $ids) (local.get $middle))) (local.get $term))
                  (then (local.set $low (i32.add (local.get $middle) (i32.const 1))))
                  (else (local.set $high (local.get $middle))))
                (br $halve)))
            (br_if $next (i32.eq (local.get $low) (local.get $n_ids)))
            (br_if $next (i32.ne (i32.load (call $at (local.get $ids) (local.get $low))) (local.get $term)))
            (local.set $low (call $at (i32.load offset=12 (local.get $segments)) (local.get $low)))
            (local.set $posting (i32.load (local.get $low)))
            (local.set $end (i32.load offset=4 (local.get $low)))
            (block $added
              (loop $add
                (br_if $added (i32.ge_u (local.get $posting) (local.get $end)))
                (local.set $document
                  (i32.load16_u (i32.add (i32.load offset=16 (local.get $segments))
                    (i32.shl (local.get $posting) (i32.const 1)))))
                (local.set $tf (f32.convert_i32_u
                  (i32.load8_u (i32.add (i32.load offset=20 (local.get $segments)) (local.get $posting)))))
                (local.set $sum (i32.add (local.get $own_sums) (i32.shl (local.get $document) (i32.const 3))))
                (f64.store (local.get $sum)
                  (f64.add (f64.load (local.get $sum))
                    (f64.promote_f32 (f32.div
                      (f32.mul (local.get $weight) (local.get $tf))
                      (f32.add (local.get $tf)
                        (f32.load (call $at (local.get $own_saturations) (local.get $document))))))))
                (local.set $posting (i32.add (local.get $posting) (i32.const 1)))
                (br $add)))
            (br $next)))
        (local.set $segments (i32.add (local.get $segments) (i32.const 24)))
        (local.set $n_segments (i32.sub (local.get $n_segments) (i32.const 1)))
        (br $segment))))

  ;; counts[i] = how many scores are above thresholds[i], and how many reach it
  ;;
  ;; scores float32 (n), thresholds float32 (n_thresholds), counts int32 (n_thresholds, 2).
  (func (export "count_above")
    (param $scores i32) (param $n i32) (param $thresholds i32) (param $n_thresholds i32) (param $counts i32)
    (local $at i32) (local $end i32) (local $end_of_fours i32)
    (local $threshold f32) (local $fours v128) (local $above v128) (local $reaching v128)
    (local $n_above i32) (local $n_reaching i32)
    (local.set $end (call $at (local.get $scores) (local.get $n)))
    (local.set $end_of_fours (call $at (local.get $scores) (i32.and (local.get $n) (i32.const -4))))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $n_thresholds)))
        (local.set $threshold (f32.load (local.get $thresholds)))
        (local.set $fours (f32x4.splat (local.get $threshold)))
        (local.set $above (v128.const i32x4 0 0 0 0))
        (local.set $reaching (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $scores))
        (block $counted
          (loop $count
            (br_if $counted (i32.ge_u (local.get $at) (local.get $end_of_fours)))
            ;; A comparison that holds is -1.
            (local.set $above
              (i32x4.sub (local.get $above) (f32x4.gt (v128.load (local.get $at)) (local.get $fours))))
            (local.set $reaching
              (i32x4.sub (local.get $reaching) (f32x4.ge (v128.load (local.get $at)) (local.get $fours))))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $count)))
        (local.set $n_above (call $sum_i32 (local.get $above)))
        (local.set $n_reaching (call $sum_i32 (local.get $reaching)))
        (block $counted
          (loop $count
            (br_if $counted (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $n_above
              (i32.add (local.get $n_above) (f32.gt (f32.load (local.get $at)) (local.get $threshold))))
            (local.set $n_reaching
              (i32.add (local.get $n_reaching) (f32.ge (f32.load (local.get $at)) (local.get $threshold))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br $count)))
        (i32.store (local.get $counts) (local.get $n_above))
        (i32.store offset=4 (local.get $counts) (local.get $n_reaching))
        (local.set $thresholds (i32.add (local.get $thresholds) (i32.const 4)))
        (local.set $counts (i32.add (local.get $counts) (i32.const 8)))
        (local.set $n_thresholds (i32.sub (local.get $n_thresholds) (i32.const 1)))
        (br $next))))

  ;; The address of the i-th value of four bytes.
  (func $at (param $start i32) (param $i i32) (result i32)
    (i32.add (local.get $start) (i32.shl (local.get $i) (i32.const 2)))))
